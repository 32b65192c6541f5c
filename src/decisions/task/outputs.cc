#include "task/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t most_named = 12;

}  // namespace

std::vector<OutputFacts> facts_of(std::span<const NamedTensor> outputs, const std::vector<std::string>& fed_back) {
  std::vector<OutputFacts> facts;
  for (const NamedTensor& output : outputs) {
    OutputFacts& one = facts.emplace_back();
    one.name = output.name + output.part;
    if (std::ranges::find(fed_back, output.name) != fed_back.end()) continue;
    one.type = output.value.dtype();
    one.shape = output.value.shape();
  }
  return facts;
}

std::string text_of(std::span<const OutputFacts> outputs) {
  std::vector<std::string> texts;
  for (const OutputFacts& output : outputs.first(std::min(most_named, outputs.size()))) {
    const std::string name = printable(output.name, 60);
    if (output.type == DType::undefined) {
      texts.push_back("'" + name + "' (fed back)");
      continue;
    }
    std::vector<std::string> dims;
    for (const std::int64_t dim : output.shape) dims.push_back(dim < 0 ? "?" : std::to_string(dim));
    texts.push_back(fmt::format("'{}' {}[{}]", name, name_of(output.type), join(dims, ",")));
  }
  if (outputs.size() > most_named) texts.push_back(fmt::format("and {} more", outputs.size() - most_named));
  return texts.empty() ? "no outputs" : join(texts, ", ");
}

bool may_be(std::int64_t dimension, std::int64_t wanted) { return dimension < 0 || dimension == wanted; }

bool names_one_of(const std::string& name, std::span<const std::string> words) {
  const std::string lower = lower_case(name);
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return lower.find(lower_case(word)) != lower.npos; });
}

std::vector<double> numbers_of(const Tensor& tensor) {
  std::vector<double> numbers(static_cast<std::size_t>(tensor.count()));
  const bool is_plain = tensor.dtype() == DType::f32;
  const auto* floats = reinterpret_cast<const char*>(tensor.bytes().data());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float plain = 0;
    if (is_plain) std::memcpy(&plain, floats + i * sizeof plain, sizeof plain);  // a view need not be aligned
    numbers[i] = is_plain ? static_cast<double>(plain) : tensor.number(static_cast<std::int64_t>(i));
  }
  return numbers;
}

}  // namespace culprit
