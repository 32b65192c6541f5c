#pragma once
// Which operands a node adds up, and along which axes: where the order of a sum is the runtime's to choose.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tensor/imitate_rounding.h"

namespace onnx {
class NodeProto;
}

namespace culprit {

/// The whole numbers that a value of this name always is (the axes of a ReduceSum); nothing where that is not known.
using KnownIntegers = std::function<std::optional<std::vector<std::int64_t>>(const std::string& name)>;

/// How the rounding of sums moves input `i` of a node, if the node makes sums of products or of what it is given along
/// axes of that input: MatMul, Gemm, Conv, ConvTranspose, recurrent nodes (weights), reductions, pools, CumSum. `ulps`
/// and the rest are left as they are by default.
std::optional<RoundingMoves> how_summed(const onnx::NodeProto& node, int i, const KnownIntegers& known);

}  // namespace culprit
