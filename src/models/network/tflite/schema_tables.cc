// The tables of TFLite's schema as text, which flat_schema.cc reads: NAME FIELD:TYPE[=DEFAULT]... A field's number is
// its place. [T] is a vector of T, <U> a union whose selector is the field before it. Deprecated fields are named
// old_*. Source: what the Python package ai-edge-litert 2.3.0 knows of it (ai_edge_litert/schema_py_generated.py).
#include "network/tflite/flat_schema.h"

namespace culprit {

const std::string_view tflite_tables_text = R"(
Model version:u32 operator_codes:[OperatorCode] subgraphs:[SubGraph] description:string buffers:[Buffer]
    metadata_buffer:[i32] metadata:[Metadata] signature_defs:[SignatureDef]
    external_buffer_groups:[ExternalBufferGroup] external_buffers:[ExternalBuffer]
OperatorCode deprecated_builtin_code:i8 custom_code:string version:i32=1 builtin_code:i32
SubGraph tensors:[Tensor] inputs:[i32] outputs:[i32] operators:[Operator] name:string debug_metadata_index:i32=-1
Tensor shape:[i32] type:TensorType buffer:u32 name:string quantization:QuantizationParameters is_variable:bool
    sparsity:SparsityParameters shape_signature:[i32] has_rank:bool variant_tensors:[VariantSubType]
    external_buffer:u32
Operator opcode_index:u32 inputs:[i32] outputs:[i32] builtin_options_type:u8 builtin_options:<BuiltinOptions>
    custom_options:[u8] custom_options_format:i8 mutating_variable_inputs:[bool] intermediates:[i32]
    large_custom_options_offset:u64 large_custom_options_size:u64 builtin_options_2_type:u8
    builtin_options_2:<BuiltinOptions2> debug_metadata_index:i32=-1
Buffer data:[u8] offset:u64 size:u64
Metadata name:string buffer:u32
TensorMap name:string tensor_index:u32
SignatureDef inputs:[TensorMap] outputs:[TensorMap] signature_key:string old_tag:string subgraph_index:u32
CustomQuantization custom:[u8]
BlockwiseQuantization scales:i32 zero_points:i32 block_size:i32 block_shape:[i32]
MultiAxisQuantization scales:i32 zero_points:i32 block_size:i32 quantized_dimensions:[i32]
QuantizationParameters min:[f32] max:[f32] scale:[f32] zero_point:[i64] details_type:u8 details:<QuantizationDetails>
    quantized_dimension:i32
Int32Vector values:[i32]
Uint16Vector values:[u16]
Uint8Vector values:[u8]
DimensionMetadata format:DimensionType dense_size:i32 array_segments_type:u8 array_segments:<SparseIndexVector>
    array_indices_type:u8 array_indices:<SparseIndexVector>
SparsityParameters traversal_order:[i32] block_map:[i32] dim_metadata:[DimensionMetadata]
VariantSubType shape:[i32] type:TensorType has_rank:bool
ExternalBufferGroup name:string
ExternalBuffer id:u32 group:u32 offset:u64 length:u64 packing:string
)";

const std::string_view tflite_options_text = R"(
Conv2DOptions padding:Padding stride_w:i32 stride_h:i32 fused_activation_function:Activation dilation_w_factor:i32=1
    dilation_h_factor:i32=1 quantized_bias_type:TensorType
DepthwiseConv2DOptions padding:Padding stride_w:i32 stride_h:i32 depth_multiplier:i32
    fused_activation_function:Activation dilation_w_factor:i32=1 dilation_h_factor:i32=1
ConcatEmbeddingsOptions num_channels:i32 num_columns_per_channel:[i32] embedding_dim_per_channel:[i32]
LSHProjectionOptions type:LshProjection
Pool2DOptions padding:Padding stride_w:i32 stride_h:i32 filter_width:i32 filter_height:i32
    fused_activation_function:Activation
SVDFOptions rank:i32 fused_activation_function:Activation asymmetric_quantize_inputs:bool
RNNOptions fused_activation_function:Activation asymmetric_quantize_inputs:bool
FullyConnectedOptions fused_activation_function:Activation weights_format:WeightsFormat keep_num_dims:bool
    asymmetric_quantize_inputs:bool quantized_bias_type:TensorType quant_spec:[u8]
SoftmaxOptions beta:f32
ConcatenationOptions axis:i32 fused_activation_function:Activation
AddOptions fused_activation_function:Activation pot_scale_int16:bool=1
L2NormOptions fused_activation_function:Activation
LocalResponseNormalizationOptions radius:i32 bias:f32 alpha:f32 beta:f32
LSTMOptions fused_activation_function:Activation cell_clip:f32 proj_clip:f32 kernel_type:LstmKernel
    asymmetric_quantize_inputs:bool
ResizeBilinearOptions old_new_height:i32 old_new_width:i32 align_corners:bool half_pixel_centers:bool
CallOptions subgraph:u32
ReshapeOptions new_shape:[i32]
SkipGramOptions ngram_size:i32 max_skip_size:i32 include_all_ngrams:bool
SpaceToDepthOptions block_size:i32
EmbeddingLookupSparseOptions combiner:Combiner
MulOptions fused_activation_function:Activation
PadOptions
GatherOptions axis:i32 batch_dims:i32
BatchToSpaceNDOptions
SpaceToBatchNDOptions
TransposeOptions
ReducerOptions keep_dims:bool
SubOptions fused_activation_function:Activation pot_scale_int16:bool=1
DivOptions fused_activation_function:Activation
SqueezeOptions squeeze_dims:[i32]
SequenceRNNOptions time_major:bool fused_activation_function:Activation asymmetric_quantize_inputs:bool
StridedSliceOptions begin_mask:i32 end_mask:i32 ellipsis_mask:i32 new_axis_mask:i32 shrink_axis_mask:i32 offset:bool
ExpOptions
TopKV2Options
SplitOptions num_splits:i32
LogSoftmaxOptions
CastOptions in_data_type:TensorType out_data_type:TensorType
DequantizeOptions
MaximumMinimumOptions
ArgMaxOptions output_type:TensorType
LessOptions
NegOptions
PadV2Options
GreaterOptions
GreaterEqualOptions
LessEqualOptions
SelectOptions
SliceOptions
TransposeConvOptions padding:Padding stride_w:i32 stride_h:i32 fused_activation_function:Activation
    quantized_bias_type:TensorType
SparseToDenseOptions validate_indices:bool
TileOptions
ExpandDimsOptions
EqualOptions
NotEqualOptions
ShapeOptions out_type:TensorType
PowOptions
ArgMinOptions output_type:TensorType
FakeQuantOptions min:f32 max:f32 num_bits:i32 narrow_range:bool
PackOptions values_count:i32 axis:i32
LogicalOrOptions
OneHotOptions axis:i32
LogicalAndOptions
LogicalNotOptions
UnpackOptions num:i32 axis:i32
FloorDivOptions
SquareOptions
ZerosLikeOptions
FillOptions
BidirectionalSequenceLSTMOptions fused_activation_function:Activation cell_clip:f32 proj_clip:f32 merge_outputs:bool
    time_major:bool=1 asymmetric_quantize_inputs:bool
BidirectionalSequenceRNNOptions time_major:bool fused_activation_function:Activation merge_outputs:bool
    asymmetric_quantize_inputs:bool
UnidirectionalSequenceLSTMOptions fused_activation_function:Activation cell_clip:f32 proj_clip:f32 time_major:bool
    asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool
FloorModOptions
RangeOptions
ResizeNearestNeighborOptions align_corners:bool half_pixel_centers:bool
LeakyReluOptions alpha:f32
SquaredDifferenceOptions
MirrorPadOptions mode:MirrorPad
AbsOptions
SplitVOptions num_splits:i32
UniqueOptions idx_out_type:TensorType=2
ReverseV2Options
AddNOptions
GatherNdOptions
CosOptions
WhereOptions
RankOptions
ReverseSequenceOptions seq_dim:i32 batch_dim:i32
MatrixDiagOptions
QuantizeOptions
MatrixSetDiagOptions
HardSwishOptions
IfOptions then_subgraph_index:i32 else_subgraph_index:i32
WhileOptions cond_subgraph_index:i32 body_subgraph_index:i32
DepthToSpaceOptions block_size:i32
NonMaxSuppressionV4Options
NonMaxSuppressionV5Options
ScatterNdOptions
SelectV2Options
DensifyOptions
SegmentSumOptions
BatchMatMulOptions adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool
CumsumOptions exclusive:bool reverse:bool
CallOnceOptions init_subgraph_index:i32
BroadcastToOptions
Rfft2dOptions
Conv3DOptions padding:Padding stride_d:i32 stride_w:i32 stride_h:i32 fused_activation_function:Activation
    dilation_d_factor:i32=1 dilation_w_factor:i32=1 dilation_h_factor:i32=1
HashtableOptions table_id:i32 key_dtype:TensorType value_dtype:TensorType
HashtableFindOptions
HashtableImportOptions
HashtableSizeOptions
VarHandleOptions container:string shared_name:string
ReadVariableOptions
AssignVariableOptions
RandomOptions seed:i64 seed2:i64
BucketizeOptions boundaries:[f32]
GeluOptions approximate:bool
DynamicUpdateSliceOptions
UnsortedSegmentProdOptions
UnsortedSegmentMaxOptions
UnsortedSegmentMinOptions
UnsortedSegmentSumOptions
ATan2Options
SignOptions
BitcastOptions
BitwiseXorOptions
RightShiftOptions
StablehloConcatenateOptions dimension:i64
StablehloBroadcastInDimOptions broadcast_dimensions:[i64]
StablehloSliceOptions start_indices:[i64] limit_indices:[i64] strides:[i64]
StablehloConvolutionOptions window_strides:[i64] padding:[i64] lhs_dilation:[i64] rhs_dilation:[i64]
    window_reversal:[bool] input_batch_dimension:i64 input_feature_dimension:i64 input_spatial_dimensions:[i64]
    kernel_input_feature_dimension:i64 kernel_output_feature_dimension:i64 kernel_spatial_dimensions:[i64]
    output_batch_dimension:i64 output_feature_dimension:i64 output_spatial_dimensions:[i64] feature_group_count:i64
    batch_group_count:i64 precision_config:[u32]
StablehloCustomCallOptions call_target_name:string has_side_effect:bool backend_config:string api_version:i32
    called_computations:[i32] custom_attributes:[u8]
StablehloReduceOptions dimensions:[i64] body_subgraph_index:i32
StablehloScatterOptions indices_are_sorted:bool update_window_dims:[i64] inserted_window_dims:[i64]
    scatter_dims_to_operand_dims:[i64] index_vector_dim:i64 unique_indices:bool update_computation_subgraph_index:i32
StablehloCompareOptions comparison_direction:Comparison compare_type:ComparisonType
StablehloDynamicSliceOptions slice_sizes:[i64]
StablehloPadOptions edge_padding_low:[i64] edge_padding_high:[i64] interior_padding:[i64]
StablehloIotaOptions iota_dimension:i64
StablehloDotGeneralOptions lhs_batching_dimensions:[i64] rhs_batching_dimensions:[i64]
    lhs_contracting_dimensions:[i64] rhs_contracting_dimensions:[i64] precision_config:[u32]
StablehloReduceWindowOptions window_dimensions:[i64] window_strides:[i64] base_dilations:[i64] window_dilations:[i64]
    padding:[i64] body_subgraph_index:i32
StablehloSortOptions dimension:i64 is_stable:bool comparator_subgraph_index:i32
StablehloWhileOptions cond_subgraph_index:i32 body_subgraph_index:i32
StablehloGatherOptions offset_dims:[i64] collapsed_slice_dims:[i64] start_index_map:[i64] index_vector_dim:i64
    slice_sizes:[i64] indices_are_sorted:bool
StablehloTransposeOptions permutation:[i64]
DilateOptions
StablehloRngBitGeneratorOptions algorithm:RngAlgorithm
ReduceWindowOptions reduce_function:ReduceWindow
StableHLOCompositeOptions name:string decomposition_subgraph_index:i32 composite_attributes:[u8]
    composite_attributes_format:i8 version:i32
StablehloShiftLeftOptions
StablehloCaseOptions branch_subgraph_indices:[i32]
)";

// NAME, and the tables of its numbers 0, 1, ...
const std::string_view tflite_unions_text = R"(
QuantizationDetails NONE CustomQuantization BlockwiseQuantization MultiAxisQuantization
SparseIndexVector NONE Int32Vector Uint16Vector Uint8Vector
BuiltinOptions NONE Conv2DOptions DepthwiseConv2DOptions ConcatEmbeddingsOptions LSHProjectionOptions Pool2DOptions
    SVDFOptions RNNOptions FullyConnectedOptions SoftmaxOptions ConcatenationOptions AddOptions L2NormOptions
    LocalResponseNormalizationOptions LSTMOptions ResizeBilinearOptions CallOptions ReshapeOptions SkipGramOptions
    SpaceToDepthOptions EmbeddingLookupSparseOptions MulOptions PadOptions GatherOptions BatchToSpaceNDOptions
    SpaceToBatchNDOptions TransposeOptions ReducerOptions SubOptions DivOptions SqueezeOptions SequenceRNNOptions
    StridedSliceOptions ExpOptions TopKV2Options SplitOptions LogSoftmaxOptions CastOptions DequantizeOptions
    MaximumMinimumOptions ArgMaxOptions LessOptions NegOptions PadV2Options GreaterOptions GreaterEqualOptions
    LessEqualOptions SelectOptions SliceOptions TransposeConvOptions SparseToDenseOptions TileOptions
    ExpandDimsOptions EqualOptions NotEqualOptions ShapeOptions PowOptions ArgMinOptions FakeQuantOptions PackOptions
    LogicalOrOptions OneHotOptions LogicalAndOptions LogicalNotOptions UnpackOptions FloorDivOptions SquareOptions
    ZerosLikeOptions FillOptions BidirectionalSequenceLSTMOptions BidirectionalSequenceRNNOptions
    UnidirectionalSequenceLSTMOptions FloorModOptions RangeOptions ResizeNearestNeighborOptions LeakyReluOptions
    SquaredDifferenceOptions MirrorPadOptions AbsOptions SplitVOptions UniqueOptions ReverseV2Options AddNOptions
    GatherNdOptions CosOptions WhereOptions RankOptions ReverseSequenceOptions MatrixDiagOptions QuantizeOptions
    MatrixSetDiagOptions HardSwishOptions IfOptions WhileOptions DepthToSpaceOptions NonMaxSuppressionV4Options
    NonMaxSuppressionV5Options ScatterNdOptions SelectV2Options DensifyOptions SegmentSumOptions BatchMatMulOptions
    CumsumOptions CallOnceOptions BroadcastToOptions Rfft2dOptions Conv3DOptions HashtableOptions HashtableFindOptions
    HashtableImportOptions HashtableSizeOptions VarHandleOptions ReadVariableOptions AssignVariableOptions
    RandomOptions BucketizeOptions GeluOptions DynamicUpdateSliceOptions UnsortedSegmentProdOptions
    UnsortedSegmentMaxOptions UnsortedSegmentMinOptions UnsortedSegmentSumOptions ATan2Options SignOptions
    BitcastOptions BitwiseXorOptions RightShiftOptions
BuiltinOptions2 NONE StablehloConcatenateOptions StablehloBroadcastInDimOptions StablehloSliceOptions
    StablehloConvolutionOptions StablehloCustomCallOptions StablehloReduceOptions StablehloScatterOptions
    StablehloCompareOptions StablehloDynamicSliceOptions StablehloPadOptions StablehloIotaOptions
    StablehloDotGeneralOptions StablehloReduceWindowOptions StablehloSortOptions StablehloWhileOptions
    StablehloGatherOptions StablehloTransposeOptions DilateOptions StablehloRngBitGeneratorOptions ReduceWindowOptions
    StableHLOCompositeOptions StablehloShiftLeftOptions StablehloCaseOptions
)";

// NAME:TYPE, and the words of its numbers 0, 1, ...
const std::string_view tflite_enums_text = R"(
Padding:i8 SAME VALID
Activation:i8 NONE RELU RELU_N1_TO_1 RELU6 TANH SIGN_BIT
TensorType:i8 FLOAT32 FLOAT16 INT32 UINT8 INT64 STRING BOOL INT16 COMPLEX64 INT8 FLOAT64 COMPLEX128 UINT64 RESOURCE
    VARIANT UINT32 UINT16 INT4 BFLOAT16 INT2 UINT4 FLOAT8_E4M3FN FLOAT8_E5M2
LshProjection:i8 UNKNOWN SPARSE DENSE
WeightsFormat:i8 DEFAULT SHUFFLED4x16INT8
LstmKernel:i8 FULL BASIC
Combiner:i8 SUM MEAN SQRTN
MirrorPad:i8 REFLECT SYMMETRIC
ReduceWindow:i32 UNSUPPORTED ADD MUL MINIMUM MAXIMUM ALL ANY
RngAlgorithm:i8 DEFAULT PHILOX THREEFRY
Comparison:u32 EQ NE GE GT LE LT
ComparisonType:u32 NOTYPE FLOAT FLOAT_TOTAL_ORDER SIGNED UNSIGNED
DimensionType:i8 DENSE SPARSE_CSR
)";

}  // namespace culprit
