#include "optimizer/onnx_optimizer/help.h"

#include <algorithm>
#include <array>

namespace culprit {
namespace {

struct Line {
  std::string_view pass;
  std::string_view help;
};

constexpr std::array help_lines = std::to_array<Line>({
    {"adjust_add", "swaps the inputs of an Add whose first one is a constant, so that the constant comes second"},
    {"adjust_slice_and_matmul",
     "moves a Slice of a constant after the MatMul that uses it, where it does not cut the summed axis"},
    {"eliminate_common_subexpression", "keeps one of several nodes with the same op, inputs and attributes"},
    {"eliminate_consecutive_idempotent_ops",
     "drops the first of two equal Ceil, Floor, Round, Relu, Reshape or Sign in a row"},
    {"eliminate_deadend", "removes nodes whose outputs nothing uses"},
    {"eliminate_duplicate_initializer", "keeps one of several initializers with the same type, shape and values"},
    {"eliminate_identity", "removes Identity nodes"},
    {"eliminate_if_with_const_cond", "puts the taken branch in place of an If whose condition is a constant"},
    {"eliminate_nop_cast", "removes a Cast to the type that its input has already"},
    {"eliminate_nop_concat", "removes a Concat of a single input"},
    {"eliminate_nop_dropout", "removes a Dropout whose ratio is an attribute (before opset 12) and zero"},
    {"eliminate_nop_expand", "removes an Expand to a constant shape that broadcasts to the input's own"},
    {"eliminate_nop_flatten", "removes a Flatten that leaves a matrix as it is"},
    {"eliminate_nop_monotone_argmax",
     "removes a Log, Exp, Sqrt, Softmax or LogSoftmax in front of an ArgMax along the same axis"},
    {"eliminate_nop_pad", "removes a Pad by nothing but zeros"},
    {"eliminate_nop_reshape", "removes a Reshape to the shape that its input has already"},
    {"eliminate_nop_split", "removes a Split into a single part"},
    {"eliminate_nop_transpose", "removes a Transpose that leaves every axis in its place"},
    {"eliminate_nop_with_unit",
     "removes adding or subtracting 0, multiplying or dividing by 1, power 1, And true, Or false, and empty parts of a "
     "Concat"},
    {"eliminate_shape_gather", "replaces a Gather from a Shape by the known dimension"},
    {"eliminate_shape_op", "replaces a Shape of a value with known dimensions by a constant"},
    {"eliminate_slice_after_shape", "replaces a Slice of a Shape by the known dimensions"},
    {"eliminate_unused_initializer", "removes initializers that no node uses"},
    {"extract_constant_to_initializer", "turns Constant nodes into initializers"},
    {"fuse_add_bias_into_conv",
     "makes what an Add adds (a constant or an input) after a Conv without bias the bias of that Conv"},
    {"fuse_bn_into_conv", "multiplies a BatchNormalization after a Conv into its weights and bias"},
    {"fuse_concat_into_reshape",
     "replaces a Concat that computes the shape of a Reshape by a constant, where at most one dimension is unknown"},
    {"fuse_consecutive_concats", "joins a Concat with the Concats of the same axis that feed it"},
    {"fuse_consecutive_log_softmax", "joins a Softmax and the Log of it into a LogSoftmax"},
    {"fuse_consecutive_reduce_unsqueeze",
     "joins a reduction without keepdims and the Unsqueeze of the same axes into one with keepdims"},
    {"fuse_consecutive_slices", "joins two Slices of different axes into one"},
    {"fuse_consecutive_squeezes", "joins two Squeezes into one"},
    {"fuse_consecutive_transposes", "joins two Transposes into one"},
    {"fuse_consecutive_unsqueezes", "joins two Unsqueezes into one"},
    {"fuse_matmul_add_bias_into_gemm", "joins a MatMul of matrices and the Add of a bias into a Gemm"},
    {"fuse_pad_into_conv", "makes a constant Pad with zeros the padding of the Conv after it"},
    {"fuse_pad_into_pool", "makes a constant Pad with zeros the padding of the AveragePool or MaxPool after it"},
    {"fuse_qkv",
     "joins three MatMuls of one input with constant matrices (query, key, value) into one MatMul and a Split"},
    {"fuse_transpose_into_gemm",
     "makes a Transpose of a matrix an attribute (transA, transB) of the Gemm that uses it"},
    {"lift_lexical_references",
     "lists the outer values that the graphs inside If and Loop use in an attribute of the node"},
    {"nop", "does nothing"},
    {"rename_input_output", "renames inputs and outputs to input_0, input_1, ... and output_0, output_1, ..."},
    {"replace_einsum_with_matmul",
     "replaces an Einsum that is a matrix product by a MatMul, with a Transpose where needed"},
    {"rewrite_input_dtype", "makes int64 inputs int32, with a Cast back after each"},
    {"rewrite_where", "replaces Where(Not(c), x, y) by Where(c, y, x)"},
    {"set_unique_name_for_nodes", "gives every node without a name one"},
    {"split_init", "keeps only the part of the model that depends on nothing but initializers"},
    {"split_predict",
     "keeps only the part of the model that depends on true inputs; what split_init keeps becomes its inputs"},
});

}  // namespace

std::string help_for(std::string_view pass) {
  const auto at =
      std::find_if(help_lines.begin(), help_lines.end(), [&](const Line& line) { return line.pass == pass; });
  return at != help_lines.end() ? std::string(at->help)
                                : "a pass of this ONNX Optimizer that culprit has no words for yet";
}

}  // namespace culprit
