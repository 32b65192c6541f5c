#include "cli/runtime_probe.h"

#include <cstring>

#include "base/text.h"
#include "cli/commands/worker.h"
#include "cli/loading_process.h"

namespace culprit {

Result<std::string> probe_runtime(const std::filesystem::path& program, const std::filesystem::path& library,
                                  double seconds) {
  std::error_code error;
  const auto scratch = std::filesystem::temp_directory_path(error);
  const auto end = end_of_loading_process(program, {"--probe", library.string()}, error ? "." : scratch, seconds);
  if (!end) return tl::unexpected(end.error());
  const auto mark = end->last_words.rfind(probe_mark);
  if (end->ending == Ending::exited && mark != std::string::npos)
    return printable(trim(std::string_view(end->last_words).substr(mark + std::strlen(probe_mark))), 60);
  const std::string words = printable(trim(end->last_words), 300);
  if (end->ending == Ending::exited && !words.empty()) return fail(ErrorKind::bad_input, words);
  return tl::unexpected(no_answer(*end));
}

}  // namespace culprit
