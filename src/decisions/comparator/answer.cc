#include "comparator/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

constexpr const char* hint = "docs/comparators.md tells what an answer is";
constexpr const char* number_hint = "NaN and Infinity are no JSON: leave a metric out where it has no value";
constexpr std::size_t longest_words = 150;  // characters
const std::vector<std::string> keys{"number", "changed", "reference", "variant", "margin", "metrics", "against_truth"};

tl::unexpected<Error> wrong(const std::string& line, const std::string& what, const char* what_to_do = hint) {
  return fail(ErrorKind::bad_input, what + ": " + printable(line, 100), what_to_do);
}

/// What is wrong with the keys, or "".
std::string wrong_keys(const Json& object) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    const std::string near = closest(key, keys);
    return fmt::format("its answer has a key '{}'; {}", printable(key, longest_name),
                       near.empty() ? "there are " + join(keys, ", ") : "did you mean '" + near + "'?");
  }
  for (const char* needed : {"number", "changed", "reference", "variant"})
    if (!object.contains(needed)) return fmt::format("its answer has no '{}'", needed);
  return "";
}

/// Absent: it is no finite number.
std::optional<double> finite(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

bool can_name_a_metric(const std::string& name) {
  const auto may_be_in_it = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_.@-").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, may_be_in_it);
}

/// What is wrong with them, or "".
std::string read_numbers(const Json& object, const char* key, NamedNumbers& into) {
  const auto at = object.find(key);
  if (at == object.end()) return "";
  if (!at->is_object()) return fmt::format("'{}' in its answer is no object of numbers by name", key);
  for (const auto& [name, value] : at->items()) {
    if (!can_name_a_metric(name))
      return fmt::format("'{}' in its answer names a metric '{}': a name has at most {} letters, digits, and _ . @ -",
                         key, printable(name, longest_name), longest_name);
    const auto number = finite(value);
    if (!number) return fmt::format("'{}' in '{}' of its answer is no number", name, key);
    into.emplace(name, *number);
  }
  return "";
}

/// What is wrong with it, or "".
std::string read_change(const Json& object, DecisionChange& change) {
  const Json &changed = object["changed"], &reference = object["reference"], &variant = object["variant"];
  if (!changed.is_boolean()) return "'changed' in its answer is neither true nor false";
  if (!reference.is_string()) return "'reference' in its answer is no text: what was decided, in words";
  if (!variant.is_string()) return "'variant' in its answer is no text: what was decided, in words";
  change.changed = changed.get<bool>();
  change.reference = printable(reference.get<std::string>(), longest_words);
  change.variant = printable(variant.get<std::string>(), longest_words);
  if (!object.contains("margin")) return "";
  const auto margin = finite(object["margin"]);
  if (!margin || *margin < 0) return "'margin' in its answer is no number from 0 on";
  change.margin = *margin;
  return "";
}

}  // namespace

Result<ComparatorAnswer> parse_answer(const std::string& line, std::int64_t number) {
  const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) return wrong(line, "its answer is no JSON", number_hint);
  if (!object.is_object()) return wrong(line, "its answer is no JSON object");
  if (const std::string fault = wrong_keys(object); !fault.empty()) return wrong(line, fault);
  if (object["number"] != Json(number))
    return wrong(line,
                 fmt::format("it was asked of number {}, and answers of {}", number,
                             printable(object["number"].dump(-1, ' ', true, Json::error_handler_t::replace), 40)),
                 "it must print one line for each line that it reads, with the number of that line");
  ComparatorAnswer answer;
  if (const std::string fault = read_change(object, answer.change); !fault.empty()) return wrong(line, fault);
  for (const auto& [key, into] : {std::pair{"metrics", &answer.metrics}, {"against_truth", &answer.against_truth}})
    if (const std::string fault = read_numbers(object, key, *into); !fault.empty())
      return wrong(line, fault, number_hint);
  return answer;
}

Result<std::optional<std::string>> parse_hello(const std::string& line) {
  const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const bool is_hello = object.is_object() && object.contains("name") && !object.contains("number");
  if (!is_hello) return std::nullopt;
  const std::string name = object["name"].is_string() ? object["name"].get<std::string>() : "";
  if (name.empty() || name != printable(name, longest_name) || object.size() != 1)
    return wrong(line, fmt::format("its first line is no {{\"name\": \"...\"}} with a name of at most {} characters",
                                   longest_name));
  return name;
}

}  // namespace culprit
