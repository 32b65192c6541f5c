#include "device/ncu.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "device/ncu_csv.h"
#include "process/run_program.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_log = std::uint64_t{256} << 20;

/// `env` so that its numbers are written with points, whatever the user's language.
std::vector<std::string> words_for(const std::vector<std::string>& command, const NcuOptions& options,
                                   const std::filesystem::path& log) {
  constexpr std::array metrics = {ncu_metric::time,       ncu_metric::sm,        ncu_metric::memory,   ncu_metric::dram,
                                  ncu_metric::block_size, ncu_metric::grid_size, ncu_metric::occupancy};
  const std::vector<std::string> names(metrics.begin(), metrics.end());
  std::vector<std::string> words = {"env", "LC_ALL=C", options.program};
  for (const char* word : {"--csv", "--page", "raw", "--print-units", "base", "--target-processes", "all",
                           "--clock-control", "none", "--metrics"})
    words.emplace_back(word);
  words.push_back(join(names, ","));
  words.insert(words.end(), {"--launch-count", std::to_string(options.most_kernels), "--log-file", log.string()});
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

/// The first thing that ncu itself calls an error: "==ERROR== The application returned an error code (1)."
std::string complaint_in(std::string_view said) {
  constexpr std::string_view mark = "==ERROR==";
  const auto at = said.find(mark);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = said.substr(at + mark.size());
  return printable(trim(rest.substr(0, rest.find('\n'))), 300);
}

Error why_it_failed(const Failure& end, const std::string& said) {
  // The word by which NVIDIA's page on it is found: it is no prose.
  if (said.find("ERR_NVGPUCTRPERM") != std::string::npos)
    return {ErrorKind::unsupported, "ncu may not read the counters of the GPU (ERR_NVGPUCTRPERM)",
            "run as root, or have the driver loaded with NVreg_RestrictProfilingToAdminUsers=0 "
            "(https://developer.nvidia.com/ERR_NVGPUCTRPERM)"};
  if (end.ending == Ending::timed_out)
    return {ErrorKind::bad_input, "ncu took too long: " + end.message, "give it fewer runs, or more time"};
  const std::string complaint = complaint_in(said);
  const std::string_view last = trim(end.last_words);
  const std::string words = complaint.empty() ? printable(trim(last.substr(last.rfind('\n') + 1)), 300) : complaint;
  const std::string how = end.failed() ? "ncu " + end.message : "ncu failed";
  return {ErrorKind::bad_input, how + (words.empty() ? "" : "; it said: " + words),
          "run the same without ncu to see whether the program itself fails"};
}

}  // namespace

Result<std::vector<KernelRecord>> profile_kernels(const std::vector<std::string>& command, const NcuOptions& options) {
  if (!can_start(options.program))
    return fail(ErrorKind::not_found,
                "there is no program '" + printable(options.program, 200) + "', so kernels are not counted",
                "install NVIDIA Nsight Compute, or give the path of its ncu");
  const auto place = TemporaryFolder::create(options.scratch, "ncu-");
  if (!place) return tl::unexpected(place.error());
  const auto log = place->path() / "log.csv";
  ProgramCall call{.words = words_for(command, options, log), .folder = place->path()};
  call.may_use_network = true;  // ncu and the program talk over the machine's own
  const auto end = end_of_program(call, place->path(), options.limits, options.stop);
  if (!end) return tl::unexpected(end.error());
  const auto written = read_file(log, largest_log);
  if (!written && written.error().kind != ErrorKind::not_found) return tl::unexpected(written.error());
  const std::string said = written.value_or("") + "\n" + end->last_words;
  auto kernels = read_ncu_csv(written.value_or(""));
  const bool is_refused = !kernels && !complaint_in(said).empty();
  if (end->failed() || is_refused) return tl::unexpected(why_it_failed(*end, said));
  return kernels;
}

}  // namespace culprit
