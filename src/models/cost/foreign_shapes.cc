#include "cost/foreign_shapes.h"

#include <onnx/defs/schema.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cost/einsum_equation.h"
#include "cost/infer_node.h"
#include "cost/op_name.h"
#include "cost/shape_scope.h"
#include "cost/value_shape.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

constexpr int stand_in_version = 13;  ///< of the operator set that stands in
using Dims = std::vector<std::int64_t>;

/// A size that is not known is -1.
void set_output(const onnx::NodeProto& node, int i, DType dtype, const Dims& dims, ShapeScope& scope) {
  if (i >= node.output_size() || node.output(i).empty()) return;
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(dtype));
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : dims) {
    auto& dim = *shape.add_dim();
    if (size >= 0) dim.set_dim_value(size);
  }
  scope.set_type(node.output(i), type);
}

/// Their first output is as their first input is.
const std::unordered_set<std::string_view>& keeps_shape() {
  static const std::unordered_set<std::string_view> ops = {
      "Affine", "ImageScaler",
      "LayerNormalization",  // which the runtime fuses in models
                             // of versions without it, too
      "ParametricSoftplus", "ScaledTanh", "Scale", "SimplifiedLayerNormalization", "com.microsoft.Gelu",
      "com.microsoft.FastGelu", "com.microsoft.BiasGelu", "com.microsoft.QuickGelu", "com.microsoft.BiasAdd",
      "com.microsoft.BiasSoftmax", "com.microsoft.BiasDropout", "com.microsoft.GroupNorm",
      "com.microsoft.SkipGroupNorm", "com.microsoft.SkipLayerNormalization",
      "com.microsoft.SkipSimplifiedLayerNormalization", "com.microsoft.RotaryEmbedding",
      "com.microsoft.QLinearLeakyRelu", "com.microsoft.QLinearSigmoid", "com.microsoft.QLinearSoftmax"};
  return ops;
}

/// An operator of ONNX whose outputs have the same sizes, the inputs that it takes, and the one that tells the type.
struct StandIn {
  std::string_view op;
  std::vector<int> inputs;
  int typed_by = 0;
  bool is_channels_last = false;     ///< of the first input and output, whatever the attribute of that name says
  DType untyped = DType::undefined;  ///< where the input that tells the type is left out
};

const std::unordered_map<std::string_view, StandIn>& stand_ins() {
  static const std::unordered_map<std::string_view, StandIn> ops = {
      {"com.microsoft.FusedConv", {"Conv", {0, 1}}},
      {"com.microsoft.NhwcFusedConv", {"Conv", {0, 1}, 0, true}},
      {"com.microsoft.QLinearConv", {"Conv", {0, 3}, 7}},
      {"com.microsoft.FusedGemm", {"Gemm", {0, 1}}},
      {"com.microsoft.QGemm", {"Gemm", {0, 3}, 8, false, DType::f32}},
      {"com.microsoft.NhwcMaxPool", {"MaxPool", {0}, 0, true}},
      {"com.microsoft.nchwc.Conv", {"Conv", {0, 1}}},
      {"com.microsoft.nchwc.MaxPool", {"MaxPool", {0}}},
      {"com.microsoft.nchwc.AveragePool", {"AveragePool", {0}}},
      {"com.microsoft.nchwc.GlobalMaxPool", {"GlobalMaxPool", {0}}},
      {"com.microsoft.nchwc.GlobalAveragePool", {"GlobalAveragePool", {0}}},
      {"com.microsoft.QLinearAveragePool", {"AveragePool", {0}}},
      {"com.microsoft.QLinearGlobalAveragePool", {"GlobalAveragePool", {0}}},
      {"com.microsoft.QLinearAdd", {"Add", {0, 3}}},
      {"com.microsoft.QLinearMul", {"Mul", {0, 3}}},
      {"com.microsoft.QLinearWhere", {"Where", {0, 1, 4}, 1}},
      {"com.microsoft.QLinearReduceMean", {"ReduceMean", {0}}},
      {"com.microsoft.DynamicQuantizeLSTM", {"LSTM", {0, 1, 2}}},
      {"com.microsoft.DynamicQuantizeMatMul", {"MatMul", {0, 1}}},
      {"com.microsoft.MatMulIntegerToFloat", {"MatMul", {0, 1}, 2}},
  };
  return ops;
}

/// A type of the same sizes with the last axis as the second one, or the other way round.
onnx::TypeProto moved_channels(onnx::TypeProto type, bool to_front) {
  auto* dims = type.mutable_tensor_type()->mutable_shape()->mutable_dim();
  for (int axis = 1; axis + 1 < dims->size(); ++axis)
    dims->SwapElements(to_front ? dims->size() - axis : axis, to_front ? dims->size() - axis - 1 : axis + 1);
  return type;
}

/// Feeds those inputs of `node`, in a scope of their own; false where the node lacks one.
bool feed_stand_in(const onnx::NodeProto& node, const StandIn& other, bool is_channels_last, const ShapeScope& scope,
                   onnx::NodeProto& same, ShapeScope& inside) {
  for (const int i : other.inputs) {
    if (i >= node.input_size()) return false;
    const std::string name = std::to_string(i);
    const auto* known = scope.type(node.input(i));
    const bool is_moved = known != nullptr && is_channels_last && i == 0 && known->tensor_type().has_shape();
    if (known != nullptr) inside.set_type(name, is_moved ? moved_channels(*known, /*to_front=*/true) : *known);
    same.add_input(name);
  }
  return true;
}

/// Attributes that ONNX does not know (the activation of a FusedConv) are left out.
void infer_by_stand_in(const onnx::NodeProto& node, const StandIn& other, ShapeScope& scope) {
  const bool is_channels_last = other.is_channels_last || integer_of(node, "channels_last", 0) != 0;
  const auto* schema = onnx::OpSchemaRegistry::Schema(std::string(other.op), stand_in_version, "");
  if (schema == nullptr) return;
  onnx::NodeProto same;
  same.set_op_type(std::string(other.op));
  ShapeScope inside;
  if (!feed_stand_in(node, other, is_channels_last, scope, same, inside)) return;
  for (int i = 0; i < node.output_size(); ++i) same.add_output("y" + std::to_string(i));
  for (const auto& attribute : node.attribute()) {
    if (schema->attributes().contains(attribute.name())) *same.add_attribute() = attribute;
  }
  infer_by_schema(same, stand_in_version, inside);
  const ValueShape typed_by = shape_at(node, scope, other.typed_by);
  const bool is_typed = other.typed_by < node.input_size() && !node.input(other.typed_by).empty();
  for (int i = 0; i < node.output_size(); ++i) {
    const auto* made = inside.type(same.output(i));
    if (made == nullptr || node.output(i).empty()) continue;
    const bool is_moved = is_channels_last && i == 0 && made->tensor_type().has_shape();
    onnx::TypeProto type = is_moved ? moved_channels(*made, /*to_front=*/false) : *made;
    type.mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(is_typed ? typed_by.dtype : other.untyped));
    scope.set_type(node.output(i), type);
  }
}

/// MatMul of operands whose last two axes may be exchanged.
void infer_fused_matmul(const onnx::NodeProto& node, ShapeScope& scope) {
  if (node.input_size() < 2 || integer_of(node, "transBatchA", 0) != 0 || integer_of(node, "transBatchB", 0) != 0)
    return;
  ShapeScope inside;
  onnx::NodeProto product = node;
  for (int i = 0; i < 2; ++i) {
    const ValueShape operand = shape_at(node, scope, i);
    if (!operand.dims) return;
    Dims dims = *operand.dims;
    const bool is_transposed = integer_of(node, i == 0 ? "transA" : "transB", 0) != 0;
    if (is_transposed && dims.size() > 1) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    onnx::NodeProto named;
    named.add_output(std::to_string(i));
    set_output(named, 0, operand.dtype, dims, inside);
    product.set_input(i, std::to_string(i));
  }
  product.set_domain("com.microsoft");
  infer_by_stand_in(product, {"MatMul", {0, 1}}, inside);
  const auto* made = node.output_size() > 0 ? inside.type(node.output(0)) : nullptr;
  if (made != nullptr) scope.set_type(node.output(0), *made);
}

/// Crop: `border` are left, top, right and bottom, or `scale` the height and width that stay.
void infer_crop(const onnx::NodeProto& node, ShapeScope& scope) {
  const ValueShape input = shape_at(node, scope, 0);
  const auto* border = attribute_of(node, "border");
  const auto* scale = attribute_of(node, "scale");
  if (input.rank() != 4 || border == nullptr || border->ints_size() != 4) return;
  Dims dims = *input.dims;
  const auto cut = [&](std::size_t axis, std::int64_t before, std::int64_t after) {
    const std::int64_t size = dims[axis];
    const bool fits = before >= 0 && after >= 0 && before <= size && after <= size - before;
    dims[axis] = fits ? size - before - after : -1;
  };
  if (scale != nullptr && scale->ints_size() == 2) {
    dims[2] = scale->ints(0);
    dims[3] = scale->ints(1);
  } else {
    cut(2, border->ints(1), border->ints(3));
    cut(3, border->ints(0), border->ints(2));
  }
  set_output(node, 0, input.dtype, dims, scope);
}

/// Blocks of channels have 4, 8 or 16, as the machine likes: how many is not in the graph.
constexpr std::int64_t largest_block = 16;

/// Into blocks of channels, and back. What fills whole blocks keeps its size.
void infer_reorder(const onnx::NodeProto& node, bool into_blocks, ShapeScope& scope) {
  const ValueShape input = shape_at(node, scope, 0);
  if (input.rank() < 3) return;
  Dims dims = *input.dims;
  const bool is_last = integer_of(node, "channels_last", 0) != 0;
  if (into_blocks && is_last) dims.insert(dims.begin() + 1, dims.back()), dims.pop_back();
  if (into_blocks && dims[1] % largest_block != 0) dims[1] = -1;
  if (!into_blocks) dims[1] = integer_of(node, "channels", -1);
  if (!into_blocks && is_last) dims.push_back(dims[1]), dims.erase(dims.begin() + 1);
  set_output(node, 0, input.dtype, dims, scope);
}

/// Weights of a few bits: (.., K) becomes (.., N), both of which are attributes.
void infer_matmul_n_bits(const onnx::NodeProto& node, ShapeScope& scope) {
  const ValueShape input = shape_at(node, scope, 0);
  if (input.rank() < 1) return;
  Dims dims = *input.dims;
  dims.back() = integer_of(node, "N", -1);
  set_output(node, 0, input.dtype, dims, scope);
}

/// Scale and zero point of the result, then for each operand itself, its scale and its zero point.
void infer_qlinear_concat(const onnx::NodeProto& node, ShapeScope& scope) {
  const ValueShape first = shape_at(node, scope, 2);
  const std::int64_t asked = integer_of(node, "axis", 1);
  const std::int64_t axis = asked < 0 ? asked + first.rank() : asked;
  if (axis < 0 || axis >= first.rank()) return;
  Dims dims = *first.dims;
  std::int64_t& along = dims[static_cast<std::size_t>(axis)];
  for (int i = 5; i < node.input_size(); i += 3) {
    const ValueShape other = shape_at(node, scope, i);
    if (other.rank() != first.rank()) return;
    const std::int64_t size = (*other.dims)[static_cast<std::size_t>(axis)];
    along = along < 0 || size < 0 ? -1 : along + size;
  }
  set_output(node, 0, first.dtype, dims, scope);
}

/// To the type of the zero point, and back to that of the scale.
void infer_quantize(const onnx::NodeProto& node, bool is_back, ShapeScope& scope) {
  const ValueShape input = shape_at(node, scope, 0), typed_by = shape_at(node, scope, is_back ? 1 : 2);
  if (!input.dims) return;
  const bool is_left_out = !is_back && (node.input_size() < 3 || node.input(2).empty());
  set_output(node, 0, is_left_out ? DType::u8 : typed_by.dtype, *input.dims, scope);
}

/// (batch, sequence) numbers of words become (batch, sequence, size of the table's rows).
void infer_embedding(const onnx::NodeProto& node, ShapeScope& scope) {
  const ValueShape words = shape_at(node, scope, 0), table = shape_at(node, scope, 2);
  if (words.rank() != 2 || table.rank() != 2) return;
  const Dims dims = {words.dims->at(0), words.dims->at(1), table.dims->at(1)};
  set_output(node, 0, table.dtype, dims, scope);
  set_output(node, 1, DType::i32, {words.dims->at(0)}, scope);
  set_output(node, 2, table.dtype, dims, scope);  // what was summed
}

/// (batch, sequence, hidden) of what is asked; the hidden size is that of the values.
void infer_attention(const onnx::NodeProto& node, bool is_packed, ShapeScope& scope) {
  const ValueShape query = shape_at(node, scope, 0), other = shape_at(node, scope, is_packed ? 1 : 2);
  if (query.rank() != 3 || other.rank() != (is_packed ? 2 : 3)) return;
  Dims dims = *query.dims;
  const auto* sizes = attribute_of(node, "qkv_hidden_sizes");
  const std::int64_t last = other.dims->back();
  dims[2] = !is_packed ? last : sizes != nullptr && sizes->ints_size() == 3 ? sizes->ints(2) : last < 0 ? -1 : last / 3;
  set_output(node, 0, query.dtype, dims, scope);
}

}  // namespace

void infer_foreign(const onnx::NodeProto& node, ShapeScope& scope) {
  const std::string op = op_name(node);
  if (const auto other = stand_ins().find(op); other != stand_ins().end())
    return infer_by_stand_in(node, other->second, scope);
  if (keeps_shape().contains(op)) {
    const ValueShape input = shape_at(node, scope, 0);
    if (!input.dims) return;
    set_output(node, 0, input.dtype, *input.dims, scope);
    return set_output(node, 3, input.dtype, *input.dims, scope);  // of SkipLayerNormalization: what was summed
  }
  if (op == "com.microsoft.FusedMatMul" || op == "com.microsoft.TransposeMatMul") infer_fused_matmul(node, scope);
  if (op == "Crop") infer_crop(node, scope);
  if (op == "com.microsoft.nchwc.ReorderInput") infer_reorder(node, true, scope);
  if (op == "com.microsoft.nchwc.ReorderOutput") infer_reorder(node, false, scope);
  if (op == "com.microsoft.QLinearConcat") infer_qlinear_concat(node, scope);
  if (op == "com.microsoft.QuantizeLinear") infer_quantize(node, false, scope);
  if (op == "com.microsoft.DequantizeLinear") infer_quantize(node, true, scope);
  if (op == "com.microsoft.EmbedLayerNormalization") infer_embedding(node, scope);
  if (op == "com.microsoft.MatMulNBits") infer_matmul_n_bits(node, scope);
  if (op == "com.microsoft.Attention" || op == "com.microsoft.QAttention") infer_attention(node, true, scope);
  if (op == "com.microsoft.MultiHeadAttention") infer_attention(node, false, scope);
}

void infer_einsum(const onnx::NodeProto& node, ShapeScope& scope) {
  const auto* equation = attribute_of(node, "equation");
  if (equation == nullptr || node.input_size() < 1) return;
  std::vector<ValueShape> inputs;
  inputs.reserve(static_cast<std::size_t>(node.input_size()));
  for (int i = 0; i < node.input_size(); ++i) inputs.push_back(shape_at(node, scope, i));
  if (const auto sizes = einsum_sizes(equation->s(), inputs))
    set_output(node, 0, inputs[0].dtype, sizes->result, scope);
}

}  // namespace culprit
