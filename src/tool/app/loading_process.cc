#include "app/loading_process.h"

#include <fmt/format.h>

#include "base/text.h"
#include "process/start_child.h"

namespace culprit {

Result<Failure> end_of_loading_process(const std::filesystem::path& program, std::vector<std::string> arguments,
                                       const std::filesystem::path& scratch, double seconds) {
  arguments.insert(arguments.begin(), "worker");
  auto child = start_program(program, std::move(arguments), scratch);
  if (!child) return tl::unexpected(child.error());
  child->watch({seconds, 0});
  while (!child->over()) {
    wait_for({&*child}, {}, child->milliseconds());
    child->check_limits();
  }
  return child->bury();
}

Error no_answer(const Failure& end) {
  const std::string words = printable(trim(end.last_words), 300);
  return {ErrorKind::bad_input,
          fmt::format("the process that loads it: {}{}{}", end.message, words.empty() ? "" : "; it said: ", words), ""};
}

}  // namespace culprit
