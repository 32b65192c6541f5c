#include "conversion/sides/twins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/as_index.h"

namespace culprit {
namespace {

constexpr std::array<std::string_view, 16> told_whole = {
    "Add",     "Concat",  "Div",   "Flatten", "Identity", "Mul",       "Pad",  "Relu",
    "Reshape", "Sigmoid", "Slice", "Squeeze", "Sub",      "Transpose", "Tanh", "Unsqueeze"};
constexpr std::int64_t most_of_constant = 64;  // elements: sizes, axes, single numbers; more are weights

class TwinSearch {
 public:
  explicit TwinSearch(const Network& network) : network_(network), same_as_(network.values.size()) {
    for (std::size_t value = 0; value < same_as_.size(); ++value)
      same_as_[value] = constant_like(static_cast<int>(value));
  }

  std::vector<std::vector<int>> search() {
    for (const NetworkLayer& layer : network_.layers) look_at(layer);
    std::vector<std::vector<int>> twins(same_as_.size());
    for (const auto& [first, values] : classes_)
      if (values.size() > 1)
        for (const int value : values) twins[as_index(value)] = values;
    return twins;
  }

 private:
  /// The first constant with the same bytes; a large one is like no other.
  int constant_like(int value) {
    const auto& constant = network_.values[as_index(value)].constant;
    if (!constant || constant->count() > most_of_constant || constant->bytes().empty()) return value;
    const auto bytes = constant->bytes();
    const std::string key =
        fmt::format("{} {} ", static_cast<int>(constant->dtype()), fmt::join(constant->shape(), ",")) +
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return constants_.emplace(key, value).first->second;
  }

  void look_at(const NetworkLayer& layer) {
    if (std::ranges::find(told_whole, layer.type) == told_whole.end()) return;
    std::string key = layer.type + " " + layer.native_type;
    for (const auto& [name, hyper] : layer.hyper) key += fmt::format(" {}={}", name, to_string(hyper));
    for (const int input : layer.inputs) key += fmt::format(" {}", input < 0 ? -1 : same_as_[as_index(input)]);
    for (std::size_t i = 0; i < layer.outputs.size(); ++i) {
      const int output = layer.outputs[i];
      if (output < 0) continue;
      const int first = made_.emplace(fmt::format("{} #{}", key, i), output).first->second;
      same_as_[as_index(output)] = first;
      classes_[first].push_back(output);
    }
  }

  const Network& network_;
  std::vector<int> same_as_;  // by value: the first that is the same
  std::map<std::string, int> constants_, made_;
  std::map<int, std::vector<int>> classes_;
};

}  // namespace

std::vector<std::vector<int>> twins_of(const Network& network) { return TwinSearch(network).search(); }

}  // namespace culprit
