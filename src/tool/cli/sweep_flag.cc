#include "cli/sweep_flag.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/flag_values.h"

namespace culprit {
namespace {

constexpr const char* sweep_example = "give --sweep batch=1,2,4,8 or --sweep threads=1,2,4, or both";

tl::unexpected<Error> refuse_sweep(const std::string& text, const std::string& why) {
  return fail(ErrorKind::usage, fmt::format("--sweep {}: {}", printable(text, 100), why), sweep_example);
}

Result<std::vector<std::int64_t>> swept_numbers(const std::string& text, const std::string& numbers,
                                                std::int64_t most) {
  std::vector<std::int64_t> values;
  if (numbers.empty()) return refuse_sweep(text, "no number is named");
  for (const std::string& piece : split(numbers, ',')) {
    const auto value = whole_number("--sweep", std::string(trim(piece)), 1, most);
    if (!value)
      return refuse_sweep(text, fmt::format("'{}' is no whole number from 1 to {}", printable(piece, 40), most));
    if (std::ranges::find(values, *value) != values.end())
      return refuse_sweep(text, fmt::format("{} is named twice", *value));
    values.push_back(*value);
  }
  return values;
}

}  // namespace

Result<SweepSettings> sweep_settings(const std::vector<std::string>& typed) {
  constexpr std::int64_t most_batch = 1'000'000, most_threads = 1024;
  SweepSettings settings;
  for (const std::string& text : typed) {
    const auto equals = text.find('=');
    const std::string what = text.substr(0, equals);
    const bool is_batch = what == "batch";
    if (equals == std::string::npos || (!is_batch && what != "threads"))
      return refuse_sweep(text, "what is swept is batch or threads");
    auto& values = is_batch ? settings.batches : settings.threads;
    if (!values.empty()) return refuse_sweep(text, what + " was given before");
    auto numbers = swept_numbers(text, text.substr(equals + 1), is_batch ? most_batch : most_threads);
    if (!numbers) return tl::unexpected(numbers.error());
    values = std::move(*numbers);
  }
  return settings;
}

}  // namespace culprit
