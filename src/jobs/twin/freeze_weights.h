#pragma once
// A model whose initializers are no inputs any more, so that fusions may rely on them.

#include <cstdint>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Initializers (sparse ones too) leave the inputs, and an IR version below 4, which forbids that, becomes 4
/// (https://github.com/onnx/onnx/blob/main/docs/IR.md). Returns how many inputs went.
std::int64_t freeze(onnx::ModelProto& model);

}  // namespace culprit
