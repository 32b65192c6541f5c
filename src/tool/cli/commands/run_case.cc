#include "cli/commands/run_case.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "campaign/case_processes.h"
#include "cli/exit_code.h"
#include "process/channel.h"
#include "process/file_descriptor.h"
#include "process/limit_itself.h"
#include "process/start_child.h"

namespace culprit {

int run_case(const std::vector<std::string>& arguments,
             const std::function<int(const std::vector<std::string>&)>& command) {
  constexpr std::size_t fewest = 3;
  if (arguments.size() < fewest) {
    std::fputs("culprit: a case is started by `culprit run` alone\n", stderr);
    return exit_code::usage;
  }
  tie_to_parent(::getppid());
  Channel channel{Fd(channel_fd)};
  std::error_code error;
  std::filesystem::current_path(arguments[0], error);
  if (error) {
    std::fprintf(stderr, "culprit: cannot go into %s: %s\n", arguments[0].c_str(), error.message().c_str());
    return exit_code::usage;
  }
  std::vector<std::string> words(arguments.begin() + 2, arguments.end());
  words.insert(words.end(), {"--run-dir", arguments[1], "--quiet"});
  const int code = command(words);
  channel.send_now(case_exit_mark + std::to_string(code));
  return code;
}

}  // namespace culprit
