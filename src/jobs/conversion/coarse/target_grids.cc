#include "conversion/coarse/target_grids.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "base/as_index.h"
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

std::optional<double> end_of(DType type, bool is_high) {
  switch (type) {
    case DType::u8:
      return is_high ? std::numeric_limits<std::uint8_t>::max() : 0;
    case DType::i8:
      return is_high ? std::numeric_limits<std::int8_t>::max() : std::numeric_limits<std::int8_t>::min();
    case DType::u16:
      return is_high ? std::numeric_limits<std::uint16_t>::max() : 0;
    case DType::i16:
      return is_high ? std::numeric_limits<std::int16_t>::max() : std::numeric_limits<std::int16_t>::min();
    default:
      return std::nullopt;
  }
}

std::optional<ValueGrid> grid_of(const Quantization& by, DType type) {
  const auto low = end_of(type, false), high = end_of(type, true);
  if (!low || !high || by.scale.size() != 1 || !(by.scale.front() > 0)) return std::nullopt;
  const double step = by.scale.front();
  const auto zero = static_cast<double>(by.zero_point.empty() ? 0 : by.zero_point.front());
  return ValueGrid{step, (*low - zero) * step, (*high - zero) * step, *low, -1};
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

std::optional<ValueGrid> grid_by_maker(const Network& network, const NetworkLayer& maker) {
  if (plain_type(maker) == "DequantizeLinear") return grid_at(network, maker, 1, 2);
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

struct LayerOfSide {
  const Ways& side;
  int number = -1;
  [[nodiscard]] const NetworkLayer& layer() const { return side.network().layers[as_index(number)]; }
  [[nodiscard]] int taken() const { return layer().inputs.empty() ? -1 : layer().inputs.front(); }
  [[nodiscard]] int given() const { return layer().outputs.empty() ? -1 : layer().outputs.front(); }
};

/// What an activation makes of it, where nobody else takes it; else -1.
int behind_activation(const Ways& side, int value) {
  const auto& users = side.users(value);
  if (users.size() != 1) return -1;
  const NetworkLayer& user = side.network().layers[as_index(users.front())];
  const bool is_activation = user.parameters.empty() && side.before(user.outputs.at(0)).size() == 1 && !is_mover(user);
  return is_activation && plain_type(user) != "QuantizeLinear" ? user.outputs.front() : -1;
}

/// Of layers that have one kernel: what they take and give, though the numbers are too far apart to tell.
void take_around(const LayerOfSide& one, const LayerOfSide& other, std::map<int, ValueGrid>& values) {
  const auto take = [&](int value, int mate) {
    if (value < 0 || mate < 0 || one.side.is_constant(value)) return false;
    const auto grid = grid_of_value(other.side, mate);
    if (grid) values.emplace(value, *grid);
    return grid.has_value();
  };
  take(one.taken(), other.taken());
  if (one.given() < 0 || other.given() < 0 || take(one.given(), other.given())) return;
  take(behind_activation(one.side, one.given()), behind_activation(other.side, other.given()));
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

}  // namespace

std::optional<ValueGrid> grid_of_value(const Ways& network, int value) {
  auto grid = grid_around(network, value);
  if (grid) grid->target = value;
  return grid;
}

TargetGrids target_grids(const Ways& source, const Ways& target, const ConversionMap& map) {
  TargetGrids grids;
  for (const ParameterMatch& match : map.parameters) {
    const DerivedTensor& one = map.derived[match.source];
    const TargetParameter& other = map.target_parameters[match.target];
    const bool is_one = one.is_stored() && one.parameters.size() == 1 && other.is_stored();
    if (!is_one || match.distance <= held_as_it_is || match.kind == TensorMatch::Kind::scrambled) continue;
    grids.weights.insert_or_assign(one.parameters.front(), as_source(match, one.tensor, other.tensor));
  }
  for (const auto& [value, match] : map.values)
    if (const auto grid = grid_of_value(target, match.target)) grids.values.emplace(value, *grid);
  for (const ParameterMatch& match : map.parameters) {
    const DerivedTensor& one = map.derived[match.source];
    if (one.role == "kernel" && !one.layers.empty() && match.kind != TensorMatch::Kind::scrambled)
      take_around({source, one.layers.back()}, {target, map.target_parameters[match.target].layer}, grids.values);
  }
  return grids;
}

}  // namespace culprit
