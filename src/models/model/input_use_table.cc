#include "model/input_use_table.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace culprit {
namespace {

using enum UseKind;

constexpr std::array indices = {
    SlotUse{"Gather", 1, index, BoundBy::axis, 0},
    SlotUse{"GatherElements", 1, index, BoundBy::axis, 0},
    SlotUse{"GatherND", 1, index, BoundBy::all_axes, 0},
    SlotUse{"GatherBlockQuantized", 1, index, BoundBy::axis, 0, 0, "gather_axis"},
    SlotUse{"Scatter", 1, scatter_index, BoundBy::axis, 0},
    SlotUse{"ScatterElements", 1, scatter_index, BoundBy::axis, 0},
    SlotUse{"ScatterND", 1, scatter_index, BoundBy::all_axes, 0},
    SlotUse{"TensorScatter", 2, index, BoundBy::axis, 0, -2},
    SlotUse{"OneHot", 0, index, BoundBy::value, 1},
    SlotUse{"EmbedLayerNormalization", 0, index, BoundBy::axis, 2},
    SlotUse{"EmbedLayerNormalization", 1, index, BoundBy::axis, 4},
    SlotUse{"EmbedLayerNormalization", 7, mask},
    SlotUse{"EmbedLayerNormalization", 8, index, BoundBy::axis, 3},
    SlotUse{"SequenceAt", 1, index},
};

constexpr std::array lengths = {
    SlotUse{"RNN", 4, length, BoundBy::axis, 0, 0, "layout"},
    SlotUse{"GRU", 4, length, BoundBy::axis, 0, 0, "layout"},
    SlotUse{"LSTM", 4, length, BoundBy::axis, 0, 0, "layout"},
    SlotUse{"ReverseSequence", 1, length, BoundBy::axis, 0, 0, "time_axis"},
    SlotUse{"TopK", 1, length, BoundBy::axis, 0, -1},
    SlotUse{"OneHot", 1, new_shape},
};

constexpr std::array shapes = {
    SlotUse{"Reshape", 1, reshape_to, BoundBy::shape_only, 0},
    SlotUse{"Expand", 1, expand_to, BoundBy::shape_only, 0},
    SlotUse{"ConstantOfShape", 0, new_shape},
    SlotUse{"Tile", 1, repeats},
    SlotUse{"Pad", 1, pads},
    SlotUse{"Pad", 3, axis, BoundBy::rank, 0},
    SlotUse{"Slice", 1, starts, BoundBy::shape_only, 0},
    SlotUse{"Slice", 2, ends, BoundBy::shape_only, 0},
    SlotUse{"Slice", 3, axis, BoundBy::rank, 0},
    SlotUse{"Slice", 4, steps},
    SlotUse{"Split", 1, split_sizes, BoundBy::axis, 0},
    SlotUse{"Range", 0, range_start},
    SlotUse{"Range", 1, range_limit},
    SlotUse{"Range", 2, range_delta},
    SlotUse{"Upsample", 1, scales, BoundBy::shape_only, 0},
    SlotUse{"Unsqueeze", 1, axis, BoundBy::rank, 0},
    SlotUse{"CumSum", 1, axis, BoundBy::rank, 0},
    SlotUse{"Trilu", 1, pads},
};

constexpr std::array others = {
    SlotUse{"If", 0, condition},
    SlotUse{"Loop", 0, trip_count},
    SlotUse{"Loop", 1, going_on},
    SlotUse{"NonMaxSuppression", 2, box_count},
    SlotUse{"NonMaxSuppression", 3, overlap},
    SlotUse{"NonMaxSuppression", 4, score},
    SlotUse{"Dropout", 1, ratio},
    SlotUse{"Dropout", 2, training},
    SlotUse{"BatchNormalization", 4, variance},
    SlotUse{"Attention", 3, mask},
    SlotUse{"MultiHeadAttention", 4, mask},
    SlotUse{"QuantizeLinear", 1, quantized_scale},
    SlotUse{"QuantizeLinear", 2, zero_point},
    SlotUse{"DequantizeLinear", 0, quantized},
    SlotUse{"DequantizeLinear", 1, quantized_scale},
    SlotUse{"DequantizeLinear", 2, zero_point},
    SlotUse{"MatMulInteger", 0, quantized},
    SlotUse{"MatMulInteger", 1, quantized},
    SlotUse{"MatMulInteger", 2, zero_point},
    SlotUse{"MatMulInteger", 3, zero_point},
    SlotUse{"ConvInteger", 0, quantized},
    SlotUse{"ConvInteger", 1, quantized},
    SlotUse{"ConvInteger", 2, zero_point},
    SlotUse{"ConvInteger", 3, zero_point},
};

/// x, scale, zero point of the one, then of the other, then scale and zero point of the result.
constexpr std::array quantized_slots = {
    SlotUse{"QLinear", 0, quantized},       SlotUse{"QLinear", 1, quantized_scale}, SlotUse{"QLinear", 2, zero_point},
    SlotUse{"QLinear", 3, quantized},       SlotUse{"QLinear", 4, quantized_scale}, SlotUse{"QLinear", 5, zero_point},
    SlotUse{"QLinear", 6, quantized_scale}, SlotUse{"QLinear", 7, zero_point},
};

/// Before opset 11 the scales of Resize came where its regions do now.
constexpr std::array resize_slots = {
    SlotUse{"Resize", 1, roi},
    SlotUse{"Resize", 2, scales, BoundBy::shape_only, 0},
    SlotUse{"Resize", 3, sizes, BoundBy::shape_only, 0},
};
constexpr SlotUse old_resize{"Resize", 1, scales, BoundBy::shape_only, 0};

/// ONNX's own has the positions last, the runtime's before the tables.
constexpr SlotUse rotary{"RotaryEmbedding", 3, index, BoundBy::axis, 1};
constexpr SlotUse runtime_rotary{"RotaryEmbedding", 1, index, BoundBy::axis, 2};
constexpr SlotUse reduced_axes{"Reduce", 1, axis, BoundBy::rank, 0};

const SlotUse* find(std::span<const SlotUse> uses, std::string_view op, int slot) {
  const auto at = std::ranges::find_if(uses, [&](const SlotUse& use) { return use.op == op && use.slot == slot; });
  return at == uses.end() ? nullptr : &*at;
}

}  // namespace

const SlotUse* use_of_slot(const onnx::NodeProto& node, int slot, std::int64_t opset) {
  const std::string_view op = node.op_type();
  if (op == "RotaryEmbedding") {
    const SlotUse& use = node.domain() == "com.microsoft" ? runtime_rotary : rotary;
    return use.slot == slot ? &use : nullptr;
  }
  if (op == "Resize" && opset < 11) return slot == 1 ? &old_resize : nullptr;
  if (op == "Resize") return find(resize_slots, op, slot);
  if (op.starts_with("Reduce")) return slot == 1 ? &reduced_axes : nullptr;
  if (op == "QLinearConv" || op == "QLinearMatMul") return find(quantized_slots, "QLinear", slot);
  for (const std::span<const SlotUse> uses : {std::span<const SlotUse>(indices), std::span<const SlotUse>(lengths),
                                              std::span<const SlotUse>(shapes), std::span<const SlotUse>(others)}) {
    if (const SlotUse* use = find(uses, op, slot)) return use;
  }
  return nullptr;
}

bool passes_on(std::string_view op, int slot) {
  static constexpr std::array<std::string_view, 15> first_only = {
      "Cast",  "CastLike", "Identity", "Reshape", "Flatten", "Squeeze",        "Unsqueeze", "Transpose",
      "Slice", "Expand",   "Gather",   "Split",   "Tile",    "GatherElements", "GatherND"};
  if (op == "Concat") return true;
  if (op == "Where") return slot > 0;
  return slot == 0 && is_one_of(op, first_only);
}

bool keeps_zeros_apart(std::string_view op) {
  static constexpr std::array<std::string_view, 7> ops = {"Not", "And", "Or", "Equal", "Sub", "Mul", "Min"};
  return is_one_of(op, ops);
}

}  // namespace culprit
