#include "app/runtime_probe.h"

#include <string_view>

#include "app/loading_process.h"
#include "base/text.h"

namespace culprit {

namespace {

/// What stands behind `mark` in its line; "" where it is not there.
std::string said_behind(std::string_view mark, std::string_view words) {
  const auto at = words.rfind(mark);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = words.substr(at + mark.size());
  return std::string(trim(rest.substr(0, rest.find('\n'))));
}

}  // namespace

Result<ProbedRuntime> probe_runtime(const std::filesystem::path& program, const RunnerSpec& runner, double seconds) {
  std::error_code error;
  const auto scratch = std::filesystem::temp_directory_path(error);
  const auto end = end_of_loading_process(program, {"--probe", runner.kind, runner.library.string()},
                                          error ? "." : scratch, seconds);
  if (!end) return tl::unexpected(end.error());
  if (const std::string version = said_behind(probe_mark, end->last_words);
      end->ending == Ending::exited && !version.empty()) {
    ProbedRuntime probed{printable(version, 60), {}};
    for (const std::string& provider : split(said_behind(probe_providers_mark, end->last_words), ','))
      if (!provider.empty()) probed.providers.push_back(printable(provider, 60));
    return probed;
  }
  const std::string words = printable(trim(end->last_words), 300);
  if (end->ending == Ending::exited && !words.empty()) return fail(ErrorKind::bad_input, words);
  return tl::unexpected(no_answer(*end));
}

}  // namespace culprit
