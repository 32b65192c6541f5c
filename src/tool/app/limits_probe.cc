#include "app/limits_probe.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/loading_process.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::string_view limits_mark = "culprit-limits ";

}  // namespace

std::string words_of_limits(const MachineLimits& limits) {
  const nlohmann::json json = {{"flops", limits.flops},
                               {"bandwidth", limits.bandwidth},
                               {"threads", limits.threads},
                               {"instructions", limits.instructions},
                               {"buffer_bytes", limits.buffer_bytes},
                               {"cache_bytes", limits.cache_bytes}};
  return std::string(limits_mark) + json.dump() + "\n";
}

Result<MachineLimits> limits_in(std::string_view words) {
  const auto nonsense = [&] {
    return fail(ErrorKind::bad_input, "the process that measures the machine's limits said: " +
                                          (words.empty() ? "nothing" : printable(trim(words), 300)));
  };
  const auto at = words.rfind(limits_mark);
  if (at == std::string_view::npos) return nonsense();
  const std::string_view rest = words.substr(at + limits_mark.size());
  const auto json = nlohmann::json::parse(rest.substr(0, rest.find('\n')), nullptr, /*allow_exceptions=*/false);
  MachineLimits limits;
  try {
    limits = {.flops = json.at("flops").get<double>(),
              .bandwidth = json.at("bandwidth").get<double>(),
              .threads = json.at("threads").get<std::int64_t>(),
              .instructions = printable(json.at("instructions").get<std::string>(), 40),
              .buffer_bytes = json.at("buffer_bytes").get<std::uint64_t>(),
              .cache_bytes = json.at("cache_bytes").get<std::uint64_t>()};
  } catch (const nlohmann::json::exception&) {
    return nonsense();
  }
  const auto is_rate = [](double value) { return std::isfinite(value) && value > 0; };
  if (!is_rate(limits.flops) || !is_rate(limits.bandwidth) || limits.threads < 1) return nonsense();
  return limits;
}

Result<MachineLimits> probe_limits(const std::filesystem::path& program, std::int64_t threads) {
  constexpr double cpu_seconds_a_thread = 30;
  std::error_code error;
  const auto scratch = std::filesystem::temp_directory_path(error);
  const auto end = end_of_loading_process(program, {"--limits", std::to_string(threads)}, error ? "." : scratch,
                                          cpu_seconds_a_thread * static_cast<double>(threads));
  if (!end) return tl::unexpected(end.error());
  if (end->ending != Ending::exited)
    return fail(ErrorKind::bad_input, "the process that measures the machine's limits: " + end->message);
  return limits_in(end->last_words);
}

}  // namespace culprit
