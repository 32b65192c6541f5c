#include "conversion/coarse/target_grids.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/as_index.h"
#include "conversion/coarse/grid_partners.h"
#include "conversion/coarse/weight_grids.h"

namespace culprit {
namespace {

/// Where operators that give integers take the scale and the zero point of these.
struct GivenScale {
  std::string_view type;
  std::size_t scale, zero_point;
};
constexpr std::array<GivenScale, 6> given_scales{{{"QLinearConv", 6, 7},
                                                  {"QLinearMatMul", 6, 7},
                                                  {"QGemm", 7, 8},
                                                  {"QLinearAdd", 6, 7},
                                                  {"QLinearMul", 6, 7},
                                                  {"QLinearGlobalAveragePool", 3, 4}}};

std::optional<ValueGrid> grid_of(const Quantization& by, DType type) {
  const bool is_known = is_integer(type) && (bits_of(type) == 8 || bits_of(type) == 16);
  if (!is_known || by.scale.size() != 1 || !(by.scale.front() > 0)) return std::nullopt;
  const auto [lowest, highest] = levels_of(type);
  const double step = by.scale.front();
  const auto zero = static_cast<double>(by.zero_point.empty() ? 0 : by.zero_point.front());
  return ValueGrid{step, (lowest - zero) * step, (highest - zero) * step, lowest, -1};
}

/// The type of a zero point; where there is none, what it means then.
DType type_at(const Network& network, const NetworkLayer& layer, std::size_t zero_point, DType otherwise) {
  if (zero_point >= layer.inputs.size() || layer.inputs[zero_point] < 0) return otherwise;
  const NetworkValue& value = network.values[as_index(layer.inputs[zero_point])];
  return value.constant ? value.constant->dtype() : otherwise;
}

std::optional<ValueGrid> grid_at(const Network& network, const NetworkLayer& layer, std::size_t scale,
                                 std::size_t zero_point) {
  const auto by = quantization_at(network, layer, scale, zero_point, 0);
  return by ? grid_of(*by, type_at(network, layer, zero_point, DType::u8)) : std::nullopt;
}

bool moves_to_steps(const NetworkLayer& layer) {
  return plain_type(layer) == "QuantizeLinear" || plain_type(layer) == "DequantizeLinear";
}

std::optional<ValueGrid> grid_by_maker(const Network& network, const NetworkLayer& maker) {
  if (moves_to_steps(maker)) return grid_at(network, maker, 1, 2);
  const auto given = std::ranges::find(given_scales, plain_type(maker), &GivenScale::type);
  return given == given_scales.end() ? std::nullopt : grid_at(network, maker, given->scale, given->zero_point);
}

/// The numbers of the target in the order of the source.
Tensor as_source(const ParameterMatch& match, const TensorOfNumbers& source, const TensorOfNumbers& target) {
  std::vector<float> numbers(source.numbers.size());
  const auto at = places(match.order, source.shape, target.shape);
  for (std::size_t i = 0; i < at.size() && i < target.numbers.size(); ++i)
    numbers[static_cast<std::size_t>(at[i])] = target.numbers[i];
  return Tensor::of<float>(source.shape, numbers);
}

std::optional<ValueGrid> grid_around(const Ways& network, int value) {
  const NetworkValue& known = network.network().values[as_index(value)];
  if (known.quantization) return grid_of(*known.quantization, known.dtype);
  const auto& layers = network.network().layers;
  if (const int maker = network.maker(value); maker >= 0)
    if (auto grid = grid_by_maker(network.network(), layers[as_index(maker)])) return grid;
  for (const int user : network.users(value))
    if (plain_type(layers[as_index(user)]) == "QuantizeLinear")
      return grid_at(network.network(), layers[as_index(user)], 1, 2);
  return std::nullopt;
}

class GridsOfTarget {
 public:
  GridsOfTarget(const Ways& source, const Ways& target, const ConversionMap& map)
      : source_(source), target_(target), map_(map) {}

  TargetGrids take() {
    for (const ParameterMatch& match : map_.parameters) take_weight(match);
    for (const auto& [value, match] : map_.values)
      if (!match.is_alias) take_value(value, match.target);
    const auto grids = weight_grids(target_.network(), map_.target_parameters);
    const auto right = right_numbers(map_, grids);
    for (std::size_t i = 0; i < grids.size(); ++i)
      if (right[i] && grids[i].role == "kernel") take_around(map_.derived[right[i]->source], grids[i].layer);
    return std::move(found_);
  }

 private:
  void take_weight(const ParameterMatch& match) {
    const DerivedTensor& one = map_.derived[match.source];
    const TargetParameter& other = map_.target_parameters[match.target];
    const bool is_one = one.is_stored() && one.parameters.size() == 1 && other.is_stored();
    if (!is_one || match.distance <= held_as_it_is || match.kind == TensorMatch::Kind::scrambled) return;
    found_.weights.insert_or_assign(one.parameters.front(), as_source(match, one.tensor, other.tensor));
  }

  bool take_value(int value, int mate) {
    if (value < 0 || mate < 0 || source_.is_constant(value)) return false;
    const auto grid = grid_of_value(target_, mate);
    if (!grid) return false;
    // Quantizers leave a Relu out where the steps begin at 0.
    const int activated = grid->low > -grid->step / 2 ? behind_activation(source_, value) : -1;
    found_.values.emplace(activated >= 0 ? activated : value, *grid);
    return true;
  }

  /// What layers of one kernel take and give, though the numbers are too far apart to tell.
  void take_around(const DerivedTensor& one, int other) {
    if (one.layers.empty()) return;
    const NetworkLayer& layer = target_.network().layers[as_index(other)];
    const auto& taken = source_.network().layers[as_index(one.layers.front())].inputs;
    const auto& given = source_.network().layers[as_index(one.layers.back())].outputs;
    if (!taken.empty() && !layer.inputs.empty()) take_value(taken.front(), layer.inputs.front());
    if (given.empty() || layer.outputs.empty() || given.front() < 0) return;
    if (!take_value(given.front(), layer.outputs.front()))
      take_value(behind_activation(source_, given.front()), behind_activation(target_, layer.outputs.front()));
    go_on_from(given.front(), layer.outputs.front());
  }

  /// Behind a pair, through layers of one type that hold no weights, as far as nobody else takes the values.
  void go_on_from(int value, int mate) {
    while (value >= 0 && mate >= 0) {
      const NetworkLayer* one = only_user(source_, value);
      const NetworkLayer* other = only_user(target_, mate);
      if (one == nullptr || other == nullptr) return;
      if (moves_to_steps(*other)) {
        mate = other->outputs.front();
        take_value(value, mate);
        continue;
      }
      const bool is_same = one->type == other->type && one->parameters.empty();
      if (!is_same && behind_activation(source_, value) < 0) return;
      value = one->outputs.front();
      if (is_same) mate = other->outputs.front();
      if (is_same) take_value(value, mate);
    }
  }

  static const NetworkLayer* only_user(const Ways& side, int value) {
    const auto& users = side.users(value);
    return users.size() == 1 ? &side.network().layers[as_index(users.front())] : nullptr;
  }

  /// What an activation makes of it, where nobody else takes it; else -1.
  static int behind_activation(const Ways& side, int value) {
    const auto& users = side.users(value);
    if (users.size() != 1) return -1;
    const NetworkLayer& user = side.network().layers[as_index(users.front())];
    return user.type == "Relu" || user.type == "Clip" ? user.outputs.front() : -1;
  }

  const Ways& source_;
  const Ways& target_;
  const ConversionMap& map_;
  TargetGrids found_;
};

}  // namespace

std::optional<ValueGrid> grid_of_value(const Ways& network, int value) {
  auto grid = grid_around(network, value);
  if (grid) grid->target = value;
  return grid;
}

TargetGrids target_grids(const Ways& source, const Ways& target, const ConversionMap& map) {
  return GridsOfTarget(source, target, map).take();
}

}  // namespace culprit
