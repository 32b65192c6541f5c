#include "cli/flag_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "app/name_lists.h"
#include "base/meant_word.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::uint64_t least_memory = 64'000'000;

/// All of `text` as a number; false where anything is left over or it does not fit.
template <class Number>
bool parsed(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end && !text.empty();
}

/// A whole number that 64 bits do not hold.
bool is_beyond(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc::result_out_of_range && stopped == end;
}

Result<double> parsed_finite(const std::string& flag, const std::string& text, const std::string& hint) {
  double number = 0;
  if (!parsed(text, number)) return refuse_value(flag, text, "not a number", hint);
  if (!std::isfinite(number)) return refuse_value(flag, text, "not a finite number", hint);
  return number;
}

}  // namespace

Result<std::int64_t> whole_number(const std::string& flag, const std::string& text, std::int64_t low,
                                  std::int64_t high) {
  std::int64_t number = 0;
  const std::string range = fmt::format("give a number from {} to {}", low, high);
  if (is_beyond(text)) return refuse_value(flag, text, text.front() == '-' ? "too small" : "too large", range);
  if (!parsed(text, number)) return refuse_value(flag, text, "not a whole number", range);
  if (number < low || number > high) return refuse_value(flag, text, number < low ? "too small" : "too large", range);
  return number;
}

Result<std::uint64_t> seed_number(const std::string& flag, const std::string& text) {
  std::uint64_t number = 0;
  if (!parsed(text, number))
    return refuse_value(flag, text, "not a seed", "give a whole number from 0 on, such as --seed 1");
  return number;
}

Result<double> finite_number(const std::string& flag, const std::string& text) {
  return parsed_finite(flag, text, fmt::format("give a number, such as {} 0.5", flag));
}

Result<double> tolerance_number(const std::string& flag, const std::string& text) {
  const std::string hint = fmt::format("give a number from 0 on, such as {} 1e-5", flag);
  auto number = parsed_finite(flag, text, hint);
  if (number && *number < 0) return refuse_value(flag, text, "negative", hint);
  return number;
}

Result<double> duration(const std::string& flag, const std::string& text) {
  const double seconds = parse_seconds(text);
  if (!std::isfinite(seconds) || seconds <= 0)
    return refuse_value(flag, text, "not a time of more than 0",
                        fmt::format("give one such as {0} 30s, {0} 2m or {0} 500ms", flag));
  return seconds;
}

Result<std::uint64_t> memory_size(const std::string& flag, const std::string& text) {
  const double bytes = parse_bytes(text);
  const std::string hint = fmt::format("give a size such as {0} 8GB or {0} 512MB", flag);
  if (!std::isfinite(bytes) || bytes < 0) return refuse_value(flag, text, "not a size", hint);
  if (bytes < static_cast<double>(least_memory))
    return refuse_value(flag, text, "too little for any model (less than 64 MB)", hint);
  if (bytes >= 0x1p63) return refuse_value(flag, text, "more than any machine has", hint);
  return static_cast<std::uint64_t>(bytes);
}

Result<std::string> choice(const std::string& flag, const std::string& text, const std::vector<std::string>& choices) {
  for (const std::string& known : choices)
    if (text == known) return text;
  return refuse_value(flag, text, "not known" + did_you_mean(text, choices), "give one of " + join(choices, ", "));
}

Result<std::map<std::string, std::int64_t>> sizes_by_name(const std::string& flag,
                                                          const std::vector<std::string>& typed) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& text : typed) {
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      return refuse_value(flag, text, "not NAME=N",
                          fmt::format("give the name of a dimension and its size, such as {} batch=1", flag));
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const auto size = whole_number(flag, text.substr(equals + 1), 1, most);
    if (!size)
      return refuse_value(flag, text, "not a size",
                          fmt::format("give a whole number from 1 on, such as {} batch=1", flag));
    const auto [at, is_new] = sizes.try_emplace(text.substr(0, equals), *size);
    if (!is_new && at->second != *size)
      return refuse_value(flag, text, fmt::format("the same dimension was {} before", at->second),
                          "give each dimension one size");
  }
  return sizes;
}

tl::unexpected<Error> contradiction(const std::string& one, const std::string& other, const std::string& hint) {
  return fail(ErrorKind::usage, fmt::format("{} and {} contradict each other", one, other), hint);
}

}  // namespace culprit
