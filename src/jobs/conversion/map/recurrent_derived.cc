#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/more_derived.h"
#include "conversion/map/parameter_numbers.h"

namespace culprit {
namespace {

struct GateOrder {
  const char* name;
  std::vector<int> gates;  // of ONNX's
};

/// ONNX has i, o, f, c and z, r, h (its pages of LSTM and GRU). Keras and PyTorch: i, f, c, o; TensorFlow's cells: i,
/// c, f, o. Keras: z, r, h; PyTorch and TensorFlow's cells: r, z, h.
const std::vector<GateOrder>& gate_orders(const std::string& type) {
  static const std::vector<GateOrder> of_lstm{
      {"i, o, f, c", {0, 1, 2, 3}}, {"i, f, c, o", {0, 2, 3, 1}}, {"i, c, f, o", {0, 3, 2, 1}}};
  static const std::vector<GateOrder> of_gru{{"z, r, h", {0, 1, 2}}, {"r, z, h", {1, 0, 2}}};
  static const std::vector<GateOrder> none;
  return type == "LSTM" ? of_lstm : type == "GRU" ? of_gru : none;
}

/// One recurrent layer: what can be made of its parameters.
class Recurrent {
 public:
  Recurrent(std::vector<DerivedTensor>& found, const Network& network, int layer, const ComputedConstants& computed)
      : found_(found), network_(network), number_(layer), layer_(network.layers[as_index(layer)]) {
    for (std::size_t at = 0; at < of_.size() && at + 1 < layer_.inputs.size(); ++at)
      of_[at] = numbers_of_constant(network, layer_.inputs[at + 1], computed);
  }

  void add() {
    if (!of_[0] || !of_[1] || of_[0]->shape.size() != 3 || of_[1]->shape.size() != 3) return;
    directions_ = of_[0]->shape[0];
    const auto gates = std::ssize(gate_orders(layer_.type)[0].gates);
    if (of_[1]->shape[0] != directions_ || of_[0]->shape[1] % gates != 0 || of_[0]->shape[1] != of_[1]->shape[1])
      return;
    for (std::int64_t direction = 0; direction < directions_; ++direction)
      for (const GateOrder& order : gate_orders(layer_.type)) {
        const bool is_own = std::ranges::is_sorted(order.gates);
        add_kernels(direction, order, is_own);
        add_biases(direction, order, is_own);
      }
  }

 private:
  enum Input : std::size_t { kernel = 0, recurrence = 1, bias = 2 };

  [[nodiscard]] int value_of(Input input) const { return layer_.inputs[input + 1]; }

  void add(ParameterNumbers numbers, const std::vector<ReplacedParameter>& replaced, const char* role,
           const std::string& what, std::int64_t direction, const GateOrder& order) {
    DerivedTensor made;
    made.tensor = {network_.values[as_index(replaced[0].value)].name, std::move(numbers.shape),
                   std::move(numbers.numbers), number_};
    for (const ReplacedParameter& one : replaced)
      if (std::ranges::find(made.parameters, one.value) == made.parameters.end()) made.parameters.push_back(one.value);
    made.layers = {number_};
    made.role = role;
    made.axes = numbers.axes;
    made.how = fmt::format("{} of {} '{}', gates {}", what, layer_.type, printable(layer_.name), order.name);
    if (directions_ > 1) made.how += fmt::format(", direction {}", direction);
    made.stands_for = replaced;
    found_.push_back(std::move(made));
  }

  [[nodiscard]] ReplacedParameter direction_of(Input input, std::int64_t direction) const {
    return {number_, value_of(input), static_cast<int>(directions_), static_cast<int>(direction)};
  }

  /// [gates x hidden, inputs] of one direction.
  [[nodiscard]] ParameterNumbers kernel_of(Input input, std::int64_t direction, const GateOrder& order) const {
    ParameterNumbers one = slice_along(*of_[input], 0, direction, 1);
    one.shape.erase(one.shape.begin());
    one.axes = "OI";
    return with_blocks(one, 0, order.gates);
  }

  void add_kernels(std::int64_t direction, const GateOrder& order, bool is_own) {
    const ParameterNumbers w = kernel_of(kernel, direction, order), r = kernel_of(recurrence, direction, order);
    if (!is_own || directions_ > 1) {
      add(w, {direction_of(kernel, direction)}, "kernel", "kernel", direction, order);
      add(r, {direction_of(recurrence, direction)}, "recurrence", "recurrence", direction, order);
    }
    const std::array both{w, r};
    if (auto joined = stacked_along(both, 1))
      add(std::move(*joined), {direction_of(kernel, direction), direction_of(recurrence, direction)}, "kernel",
          "kernel and recurrence", direction, order);
    if (is_own) add_gates(w, r, direction, order);
  }

  /// Each gate alone.
  void add_gates(const ParameterNumbers& w, const ParameterNumbers& r, std::int64_t direction, const GateOrder& order) {
    const auto gates = std::ssize(order.gates);
    const std::int64_t hidden = w.shape[0] / gates;
    for (std::int64_t gate = 0; gate < gates; ++gate) {
      const int parts = static_cast<int>(directions_ * gates), part = static_cast<int>(direction * gates + gate);
      const std::string what = fmt::format("gate {} of the ", gate);
      add(slice_along(w, 0, gate * hidden, hidden), {{number_, value_of(kernel), parts, part}}, "kernel",
          what + "kernel", direction, order);
      add(slice_along(r, 0, gate * hidden, hidden), {{number_, value_of(recurrence), parts, part}}, "recurrence",
          what + "recurrence", direction, order);
    }
  }

  void add_biases(std::int64_t direction, const GateOrder& order, bool is_own) {
    if (!of_[bias] || of_[bias]->shape.size() != 2 || of_[bias]->shape[0] != directions_) return;
    const std::int64_t length = of_[bias]->shape[1] / 2;
    if (length != of_[0]->shape[1]) return;
    ParameterNumbers both = slice_along(*of_[bias], 0, direction, 1);
    both.shape = {2 * length};
    const ParameterNumbers wb = with_blocks(slice_along(both, 0, 0, length), 0, order.gates);
    const ParameterNumbers rb = with_blocks(slice_along(both, 0, length, length), 0, order.gates);
    ParameterNumbers sum = wb;
    for (std::size_t i = 0; i < sum.numbers.size(); ++i) sum.numbers[i] += rb.numbers[i];
    const int halves = static_cast<int>(2 * directions_), first = static_cast<int>(2 * direction);
    const ReplacedParameter one{number_, value_of(bias), halves, first},
        other{number_, value_of(bias), halves, first + 1};
    add(wb, {one}, "bias", "bias of the kernel", direction, order);
    add(rb, {other}, "bias", "bias of the recurrence", direction, order);
    add(std::move(sum), {one, other}, "bias", "sum of the biases", direction, order);
    const std::array joined{wb, rb};
    if (auto stacked = stacked_along(joined, 0); stacked && (!is_own || directions_ > 1))
      add(std::move(*stacked), {one, other}, "bias", "both biases", direction, order);
  }

  std::vector<DerivedTensor>& found_;
  const Network& network_;
  int number_ = -1;
  const NetworkLayer& layer_;
  std::array<std::optional<ParameterNumbers>, 3> of_;
  std::int64_t directions_ = 0;
};

}  // namespace

void add_recurrent(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed) {
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
    if (!gate_orders(network.layers[layer].type).empty())
      Recurrent(found, network, static_cast<int>(layer), computed).add();
}

}  // namespace culprit
