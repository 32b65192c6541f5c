#pragma once
// Values that are quantized inside a model, moved by a small part of a step: what stands near the border of two steps
// falls to the other side. Units in the last place hardly ever do that, and a runtime that adds up in integers does.

#include <cstdint>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Does a node of the model, or of a subgraph of it, quantize floats, or round to quantized numbers inside?
bool quantizes(const onnx::ModelProto& model);

/// Puts nodes `culprit.PartOfAStep`, which the runtime room has, before each QuantizeLinear and DynamicQuantizeLinear
/// (subgraphs included, functions not); nodes that quantize inside are opened up before (model/open_quantized.h). They
/// move each element of its input by at most 1/500 of a step, up or down, by a coin of its own
/// (tensor/part_of_a_step.h): many sums of quantized values are ties, and the same few values. Of scales by channel the
/// smallest counts. Left alone: weights, and what is not float32. Returns how many were moved.
std::int64_t perturb_steps(onnx::ModelProto& model, std::uint64_t seed);

}  // namespace culprit
