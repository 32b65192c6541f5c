#include "conversion/faults/rounded_weights.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/as_index.h"

namespace culprit {
namespace {

constexpr std::size_t least_numbers = 16;  // of a weight; smaller ones and biases are rounded along, and prove little
constexpr std::size_t least_weights = 3;

/// One match whose numbers lie on a grid.
struct OnGrid {
  std::size_t match = 0;
  RoundingGrid grid;
  SetConstant right;
};

bool is_of_one_tool(const RoundingGrid& one, const RoundingGrid& other) {
  return one.kind == other.kind && one.digits == other.digits;
}

class SharedGrid {
 public:
  SharedGrid(const ConversionMap& map, const Network& target) : map_(map), target_(target) {}

  std::optional<RoundedWeights> find() {
    for (std::size_t match = 0; match < map_.parameters.size(); ++match) look_at(match);
    std::ranges::stable_sort(found_, {}, [&](const OnGrid& one) { return layers_of(one).front(); });
    for (const OnGrid& one : found_)
      if (auto all = all_on(one.grid); all.rounded >= least_weights && 2 * all.rounded >= all.weights) return all;
    return std::nullopt;
  }

 private:
  [[nodiscard]] const std::vector<int>& layers_of(const OnGrid& one) const {
    return map_.derived[map_.parameters[one.match].source].layers;
  }

  [[nodiscard]] bool is_weight(std::size_t match) const {
    const TensorOfNumbers& tensor = map_.target_parameters[map_.parameters[match].target].tensor;
    return tensor.shape.size() > 1 && tensor.numbers.size() >= least_numbers;
  }

  void look_at(std::size_t match) {
    const ParameterMatch& pair = map_.parameters[match];
    const TargetParameter& other = map_.target_parameters[pair.target];
    const bool is_usable = other.is_stored() && other.value >= 0 && !map_.derived[pair.source].layers.empty();
    if (!is_usable || pair.kind == TensorMatch::Kind::scrambled) return;
    const auto& stored = target_.values[as_index(other.value)];
    if (!stored.constant || stored.quantization || stored.constant->shape() != other.tensor.shape) return;
    if (is_weight(match)) ++weights_;
    if (!pair.is_order_expected) return;
    const TensorOfNumbers& source = map_.derived[pair.source].tensor;
    const auto right = laid_out(Tensor::of<float>(source.shape, source.numbers), pair.order, other.tensor.shape);
    if (!right) return;
    const auto grid = grid_of(right->as<float>(), other.tensor.numbers);
    const auto typed = cast(*right, stored.constant->dtype());
    if (grid && typed) found_.push_back({match, *grid, {other.value, *typed}});
  }

  [[nodiscard]] RoundedWeights all_on(const RoundingGrid& grid) const {
    RoundedWeights made{grid, {}, {}, {}, 0, weights_, 0};
    std::set<int> layers;
    for (const OnGrid& one : found_) {
      if (!is_of_one_tool(one.grid, grid)) continue;
      made.matches.push_back(one.match);
      made.right.push_back(one.right);
      if (is_weight(one.match)) ++made.rounded;
      made.mean_difference = std::max(made.mean_difference, map_.parameters[one.match].mean_difference);
      layers.insert(layers_of(one).begin(), layers_of(one).end());
    }
    made.layers.assign(layers.begin(), layers.end());
    return made;
  }

  const ConversionMap& map_;
  const Network& target_;
  std::size_t weights_ = 0;
  std::vector<OnGrid> found_;
};

}  // namespace

std::optional<RoundedWeights> rounded_weights(const ConversionMap& map, const Network& target) {
  return SharedGrid(map, target).find();
}

}  // namespace culprit
