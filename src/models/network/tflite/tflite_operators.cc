#include "network/tflite/tflite_operators.h"

#include <algorithm>
#include <array>

#include "network/tflite/flat_schema.h"

namespace culprit {
namespace {

// NAME[:OPTIONS] of the codes 0, 1, ...; source: see schema_tables.cc.
constexpr std::string_view operators_text = R"(
ADD:AddOptions AVERAGE_POOL_2D:Pool2DOptions CONCATENATION:ConcatenationOptions CONV_2D:Conv2DOptions
DEPTHWISE_CONV_2D:DepthwiseConv2DOptions DEPTH_TO_SPACE:DepthToSpaceOptions DEQUANTIZE:DequantizeOptions
EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED:FullyConnectedOptions HASHTABLE_LOOKUP L2_NORMALIZATION:L2NormOptions
L2_POOL_2D:Pool2DOptions LOCAL_RESPONSE_NORMALIZATION:LocalResponseNormalizationOptions LOGISTIC
LSH_PROJECTION:LSHProjectionOptions LSTM:LSTMOptions MAX_POOL_2D:Pool2DOptions MUL:MulOptions RELU RELU_N1_TO_1 RELU6
RESHAPE:ReshapeOptions RESIZE_BILINEAR:ResizeBilinearOptions RNN:RNNOptions SOFTMAX:SoftmaxOptions
SPACE_TO_DEPTH:SpaceToDepthOptions SVDF:SVDFOptions TANH CONCAT_EMBEDDINGS:ConcatEmbeddingsOptions
SKIP_GRAM:SkipGramOptions CALL:CallOptions CUSTOM EMBEDDING_LOOKUP_SPARSE:EmbeddingLookupSparseOptions PAD:PadOptions
UNIDIRECTIONAL_SEQUENCE_RNN:SequenceRNNOptions GATHER:GatherOptions BATCH_TO_SPACE_ND:BatchToSpaceNDOptions
SPACE_TO_BATCH_ND:SpaceToBatchNDOptions TRANSPOSE:TransposeOptions MEAN:ReducerOptions SUB:SubOptions DIV:DivOptions
SQUEEZE:SqueezeOptions UNIDIRECTIONAL_SEQUENCE_LSTM:UnidirectionalSequenceLSTMOptions
STRIDED_SLICE:StridedSliceOptions BIDIRECTIONAL_SEQUENCE_RNN:BidirectionalSequenceRNNOptions EXP:ExpOptions
TOPK_V2:TopKV2Options SPLIT:SplitOptions LOG_SOFTMAX:LogSoftmaxOptions DELEGATE
BIDIRECTIONAL_SEQUENCE_LSTM:BidirectionalSequenceLSTMOptions CAST:CastOptions PRELU MAXIMUM:MaximumMinimumOptions
ARG_MAX:ArgMaxOptions MINIMUM:MaximumMinimumOptions LESS:LessOptions NEG:NegOptions PADV2:PadV2Options
GREATER:GreaterOptions GREATER_EQUAL:GreaterEqualOptions LESS_EQUAL:LessEqualOptions SELECT:SelectOptions
SLICE:SliceOptions SIN TRANSPOSE_CONV:TransposeConvOptions SPARSE_TO_DENSE:SparseToDenseOptions TILE:TileOptions
EXPAND_DIMS:ExpandDimsOptions EQUAL:EqualOptions NOT_EQUAL:NotEqualOptions LOG SUM:ReducerOptions SQRT RSQRT
SHAPE:ShapeOptions POW:PowOptions ARG_MIN:ArgMinOptions FAKE_QUANT:FakeQuantOptions REDUCE_PROD:ReducerOptions
REDUCE_MAX:ReducerOptions PACK:PackOptions LOGICAL_OR:LogicalOrOptions ONE_HOT:OneHotOptions
LOGICAL_AND:LogicalAndOptions LOGICAL_NOT:LogicalNotOptions UNPACK:UnpackOptions REDUCE_MIN:ReducerOptions
FLOOR_DIV:FloorDivOptions REDUCE_ANY:ReducerOptions SQUARE:SquareOptions ZEROS_LIKE:ZerosLikeOptions FILL:FillOptions
FLOOR_MOD:FloorModOptions RANGE:RangeOptions RESIZE_NEAREST_NEIGHBOR:ResizeNearestNeighborOptions
LEAKY_RELU:LeakyReluOptions SQUARED_DIFFERENCE:SquaredDifferenceOptions MIRROR_PAD:MirrorPadOptions ABS:AbsOptions
SPLIT_V:SplitVOptions UNIQUE:UniqueOptions CEIL REVERSE_V2:ReverseV2Options ADD_N:AddNOptions
GATHER_ND:GatherNdOptions COS:CosOptions WHERE:WhereOptions RANK:RankOptions ELU
REVERSE_SEQUENCE:ReverseSequenceOptions MATRIX_DIAG:MatrixDiagOptions QUANTIZE:QuantizeOptions
MATRIX_SET_DIAG:MatrixSetDiagOptions ROUND HARD_SWISH:HardSwishOptions IF:IfOptions WHILE:WhileOptions
NON_MAX_SUPPRESSION_V4:NonMaxSuppressionV4Options NON_MAX_SUPPRESSION_V5:NonMaxSuppressionV5Options
SCATTER_ND:ScatterNdOptions SELECT_V2:SelectV2Options DENSIFY:DensifyOptions SEGMENT_SUM:SegmentSumOptions
BATCH_MATMUL:BatchMatMulOptions PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM:CumsumOptions CALL_ONCE:CallOnceOptions
BROADCAST_TO:BroadcastToOptions RFFT2D:Rfft2dOptions CONV_3D:Conv3DOptions IMAG REAL COMPLEX_ABS
HASHTABLE:HashtableOptions HASHTABLE_FIND:HashtableFindOptions HASHTABLE_IMPORT:HashtableImportOptions
HASHTABLE_SIZE:HashtableSizeOptions REDUCE_ALL:ReducerOptions CONV_3D_TRANSPOSE:Conv3DOptions
VAR_HANDLE:VarHandleOptions READ_VARIABLE:ReadVariableOptions ASSIGN_VARIABLE:AssignVariableOptions BROADCAST_ARGS
RANDOM_STANDARD_NORMAL:RandomOptions BUCKETIZE:BucketizeOptions RANDOM_UNIFORM:RandomOptions MULTINOMIAL:RandomOptions
GELU:GeluOptions DYNAMIC_UPDATE_SLICE:DynamicUpdateSliceOptions RELU_0_TO_1
UNSORTED_SEGMENT_PROD:UnsortedSegmentProdOptions UNSORTED_SEGMENT_MAX:UnsortedSegmentMaxOptions
UNSORTED_SEGMENT_SUM:UnsortedSegmentSumOptions ATAN2:ATan2Options UNSORTED_SEGMENT_MIN:UnsortedSegmentMinOptions
SIGN:SignOptions BITCAST:BitcastOptions BITWISE_XOR:BitwiseXorOptions RIGHT_SHIFT:RightShiftOptions STABLEHLO_LOGISTIC
STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM STABLEHLO_RESHAPE STABLEHLO_CLAMP
STABLEHLO_CONCATENATE:StablehloConcatenateOptions STABLEHLO_BROADCAST_IN_DIM:StablehloBroadcastInDimOptions
STABLEHLO_CONVOLUTION:StablehloConvolutionOptions STABLEHLO_SLICE:StablehloSliceOptions
STABLEHLO_CUSTOM_CALL:StablehloCustomCallOptions STABLEHLO_REDUCE:StablehloReduceOptions STABLEHLO_ABS STABLEHLO_AND
STABLEHLO_COSINE STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM STABLEHLO_NEGATE STABLEHLO_OR
STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT STABLEHLO_SUBTRACT STABLEHLO_TANH
STABLEHLO_SCATTER:StablehloScatterOptions STABLEHLO_COMPARE:StablehloCompareOptions STABLEHLO_CONVERT
STABLEHLO_DYNAMIC_SLICE:StablehloDynamicSliceOptions STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD:StablehloPadOptions
STABLEHLO_IOTA:StablehloIotaOptions STABLEHLO_DOT_GENERAL:StablehloDotGeneralOptions
STABLEHLO_REDUCE_WINDOW:StablehloReduceWindowOptions STABLEHLO_SORT:StablehloSortOptions
STABLEHLO_WHILE:StablehloWhileOptions STABLEHLO_GATHER:StablehloGatherOptions
STABLEHLO_TRANSPOSE:StablehloTransposeOptions DILATE:DilateOptions
STABLEHLO_RNG_BIT_GENERATOR:StablehloRngBitGeneratorOptions REDUCE_WINDOW:ReduceWindowOptions
STABLEHLO_COMPOSITE:StableHLOCompositeOptions STABLEHLO_SHIFT_LEFT:StablehloShiftLeftOptions STABLEHLO_CBRT
STABLEHLO_CASE:StablehloCaseOptions)";

std::vector<TfliteOperatorKind> parsed_operators() {
  std::vector<TfliteOperatorKind> made;
  constexpr std::string_view blanks = " \n";
  for (auto at = operators_text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = std::min(operators_text.find_first_of(blanks, at), operators_text.size());
    const auto word = operators_text.substr(at, end - at);
    const auto colon = std::min(word.find(':'), word.size());
    const auto options = word.substr(std::min(colon + 1, word.size()));
    made.push_back({static_cast<std::int32_t>(made.size()), word.substr(0, colon), options});
    at = operators_text.find_first_not_of(blanks, end);
  }
  return made;
}

TfliteValue preset_of(const FlatField& field) {
  const bool is_real = field.kind == FlatKind::f32 || field.kind == FlatKind::f64;
  if (field.kind == FlatKind::string) return std::string();
  if (field.is_vector && is_real) return std::vector<double>();
  if (field.is_vector) return std::vector<std::int64_t>();
  if (field.kind == FlatKind::boolean) return field.preset != 0;
  if (is_real) return field.preset;
  return static_cast<std::int64_t>(field.preset);
}

const FlatWords& element_types() {
  const auto& schema = tflite_schema();
  const auto tensor = schema.table("Tensor");
  return schema.enums[*schema.tables[tensor].fields[schema.field(tensor, "type")].words];
}

}  // namespace

std::span<const TfliteOperatorKind> tflite_operators() {
  static const auto all = parsed_operators();
  return all;
}

const TfliteOperatorKind* tflite_operator(std::int32_t code) {
  const auto all = tflite_operators();
  return code >= 0 && static_cast<std::size_t>(code) < all.size() ? &all[static_cast<std::size_t>(code)] : nullptr;
}

const TfliteOperatorKind* tflite_operator(std::string_view name) {
  const auto found = std::ranges::find(tflite_operators(), name, &TfliteOperatorKind::name);
  return found == tflite_operators().end() ? nullptr : &*found;
}

std::string tflite_operator_name(std::int32_t code) {
  const auto* known = tflite_operator(code);
  return known != nullptr ? std::string(known->name) : "operator " + std::to_string(code);
}

std::vector<TfliteOptionField> tflite_option_fields(std::string_view table) {
  const auto& schema = tflite_schema();
  const auto known = schema.find_table(table);
  std::vector<TfliteOptionField> made;
  if (!known) return made;
  for (const auto& field : schema.tables[*known].fields) {
    std::span<const std::string_view> words;
    if (field.words) words = schema.enums[*field.words].words;
    made.push_back({static_cast<std::uint16_t>(made.size()), field.name, preset_of(field), words});
  }
  return made;
}

std::string tflite_type_name(std::int8_t type) {
  const auto& words = element_types().words;
  if (type >= 0 && static_cast<std::size_t>(type) < words.size())
    return std::string(words[static_cast<std::size_t>(type)]);
  return "type " + std::to_string(type);
}

std::size_t tflite_type_bits(std::int8_t type) {
  static constexpr std::array<std::uint8_t, 23> bits{32, 16, 32, 8,  64, 0, 8,  16, 64, 8, 64, 128,
                                                     64, 0,  0,  32, 16, 4, 16, 2,  4,  8, 8};
  const auto index = static_cast<std::uint8_t>(type);  // of a negative one 128 or more
  return index < bits.size() ? bits[index] : 0;
}

}  // namespace culprit
