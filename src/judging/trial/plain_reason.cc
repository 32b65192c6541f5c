#include "trial/plain_reason.h"

#include <regex>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t examined = 4000;  // characters; std::regex goes deep on long texts
constexpr std::size_t shown = 400, shown_of_the_end = 240;

std::string without(const std::string& text, const char* pattern) {
  return std::regex_replace(text, std::regex(pattern), "");
}

/// A runtime says where it was first and what is wrong last: of a long text the middle goes.
std::string shortened(std::string_view text) {
  if (text.size() <= shown) return std::string(text);
  const auto word = text.find(' ', text.size() - shown_of_the_end);
  const std::string_view end = word == std::string_view::npos ? std::string_view() : text.substr(word);
  return printable(text, shown - shown_of_the_end) + std::string(end);
}

}  // namespace

std::string reason_of(std::string_view message) {
  std::string text = printable(message, examined);
  text = without(text, R"(\[ONNXRuntimeError\] : \d+ : \w+ : )");
  text = without(text, R"(Non-zero status code returned while running \w+ node\. Name:'[^']*' Status Message: )");
  text = without(text, R"(Load model from [^\n]{1,500}? failed:\s?)");
  text = without(text, R"(/\S+\.(cc|h|cpp|hpp):\d+ \S.{0,500}?\) (?=[A-Z]))");
  text = without(text, R"( ?Please fix either the inputs/outputs or the model\.)");
  text = std::regex_replace(text, std::regex(" {2,}"), " ");
  return shortened(trim(text));
}

std::string failure_text(const Failure& failure, const Limits& limits) {
  const bool is_guess = failure.doubtful && failure.ending == Ending::out_of_memory;
  if (failure.machine || is_guess) return reason_of(failure.message);
  switch (failure.ending) {
    case Ending::timed_out:
      return "over its limit of " + human_seconds(failure.limit > 0 ? failure.limit : limits.cpu_seconds);
    case Ending::out_of_memory:
      return limits.memory_bytes > 0 ? "over its limit of " + human_bytes(limits.memory_bytes) + " of memory"
                                     : "out of memory";
    default:
      break;
  }
  const std::string reason = reason_of(failure.message);
  return reason.empty() ? "no reason was given" : reason;
}

}  // namespace culprit
