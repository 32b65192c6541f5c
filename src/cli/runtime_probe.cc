#include "cli/runtime_probe.h"

#include <fmt/format.h>

#include <cstring>

#include "base/text.h"
#include "cli/commands/worker.h"
#include "process/start_child.h"

namespace culprit {

Result<std::string> probe_runtime(const std::filesystem::path& program, const std::filesystem::path& library,
                                  double seconds) {
  std::error_code error;
  const auto scratch = std::filesystem::temp_directory_path(error);
  auto child = start_program(program, {"worker", "--probe", library.string()}, error ? "." : scratch);
  if (!child) return tl::unexpected(child.error());
  child->watch({seconds, 0});
  while (!child->over()) {
    wait_for({&*child}, {}, child->milliseconds());
    child->check_limits();
  }
  const Failure end = child->bury();
  const auto mark = end.last_words.rfind(probe_mark);
  if (end.ending == Ending::exited && mark != std::string::npos)
    return printable(trim(std::string_view(end.last_words).substr(mark + std::strlen(probe_mark))), 60);
  const std::string words = printable(trim(end.last_words), 300);
  if (end.ending == Ending::exited && !words.empty()) return fail(ErrorKind::bad_input, words);
  return fail(ErrorKind::bad_input,
              fmt::format("the process that loads it: {}{}{}", end.message, words.empty() ? "" : "; it said: ", words));
}

}  // namespace culprit
