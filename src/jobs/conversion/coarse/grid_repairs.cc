#include "conversion/coarse/grid_repairs.h"

#include <algorithm>

#include "base/as_index.h"

namespace culprit {
namespace {

template <class Number>
Tensor shaped_like(const Network& network, int value, const std::vector<Number>& numbers) {
  const auto& stored = network.values[as_index(value)].constant;
  const bool fits = stored && stored->count() == std::ssize(numbers);
  return Tensor::of<Number>(fits ? stored->shape() : Shape{std::ssize(numbers)}, numbers);
}

class Repairing {
 public:
  explicit Repairing(const GridRepair& repair)
      : repair_(repair), weight_(repair.grids[repair.number]), right_(repair.right[repair.number]->numbers) {}

  std::vector<Edit> edits() {
    if (!weight_.scale_inputs) {
      std::vector<float> numbers = right_;
      const auto rounded = on_grid(weight_.numbers.shape, right_, {weight_.grid.type, repair_.honest});
      if (!weight_.is_bias() && rounded) numbers = *rounded;
      edits_.emplace_back(
          SetConstant{weight_.value, Tensor::of(weight_.numbers.shape, numbers), weight_.layer, weight_.at});
    } else if (weight_.is_bias()) {
      set_integers(weight_, right_, weight_.grid.by);
    } else {
      set_integers(weight_, right_, repair_.honest);
      set_scales();
      set_bias();
    }
    return std::move(edits_);
  }

 private:
  void set_integers(const WeightGrid& weight, const std::vector<float>& numbers, const Quantization& by) {
    const NumberGrid grid{weight.grid.type, by};
    const auto rounded = on_grid(weight.numbers.shape, numbers, grid);
    const auto steps = rounded ? steps_of(weight.numbers.shape, *rounded, grid) : std::nullopt;
    const auto stored = steps ? cast(Tensor::of(weight.numbers.shape, *steps), weight.grid.type)
                              : Result<Tensor>(tl::unexpected(Error{ErrorKind::internal, "", ""}));
    if (stored) edits_.emplace_back(SetConstant{weight.stored, *stored, weight.layer, weight.at});
  }

  void set_scales() {
    const NetworkLayer& layer = repair_.target.layers[as_index(weight_.layer)];
    const ScaleInputs& at = *weight_.scale_inputs;
    std::vector<float> scales;
    for (const double scale : repair_.honest.scale) scales.push_back(static_cast<float>(scale));
    edits_.emplace_back(SetConstant{layer.inputs[at.scale], shaped_like(repair_.target, layer.inputs[at.scale], scales),
                                    weight_.layer, at.scale});
    const int zero = at.zero_point < layer.inputs.size() ? layer.inputs[at.zero_point] : -1;
    const std::vector<double> zeros(repair_.honest.zero_point.begin(), repair_.honest.zero_point.end());
    const auto typed =
        cast(zero < 0 ? Tensor::of<double>({std::ssize(zeros)}, zeros) : shaped_like(repair_.target, zero, zeros),
             weight_.grid.type);
    if (typed && zero >= 0) edits_.emplace_back(SetConstant{zero, *typed, weight_.layer, at.zero_point});
  }

  void set_bias() {
    for (std::size_t i = 0; i < repair_.grids.size(); ++i) {
      const WeightGrid& bias = repair_.grids[i];
      if (bias.layer != weight_.layer || !bias.is_bias() || !bias.scale_inputs || !repair_.right[i]) continue;
      Quantization by = bias.grid.by;
      for (std::size_t slice = 0; slice < by.scale.size() && slice < weight_.grid.by.scale.size(); ++slice)
        by.scale[slice] *= repair_.honest.scale[slice] / weight_.grid.by.scale[slice];
      set_integers(bias, repair_.right[i]->numbers, by);
    }
  }

  const GridRepair& repair_;
  const WeightGrid& weight_;
  const std::vector<float>& right_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> repairs_of(const GridRepair& repair) { return Repairing(repair).edits(); }

}  // namespace culprit
