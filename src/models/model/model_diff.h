#pragma once
// What an optimizer did to a model, and what it left behind.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/warning.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Op type -> how many more (+) or fewer (-) nodes; ops whose number is unchanged are absent. Subgraphs included.
/// Ops outside ai.onnx are "domain.Op".
std::map<std::string, std::int64_t> ops_changed(const onnx::ModelProto& before, const onnx::ModelProto& after);

/// Warnings, not faults, that a comparison of the structure gives: unused_initializer, duplicate_initializer, dead_node
/// (each only where `after` has more of them than `before`), metadata_lost, quantization_annotation_lost, larger_file,
/// ir_raised, opset_raised, constants_became_inputs (before: IR below 4, or an initializer that was a constant; after:
/// IR 4 or more and the initializer stands among the inputs, so a runtime may no longer fold it). One warning a code,
/// with counts and a few names.
std::vector<Warning> structural_warnings(const onnx::ModelProto& before, const onnx::ModelProto& after);

/// `tied_to_processor`, `tied_to_runtime`: it has operators that no ONNX file has, of layouts for this kind of
/// processor or of ONNX Runtime. `ops_changed`: as above. Nothing where it has none more.
std::optional<Warning> tied_warning(const std::map<std::string, std::int64_t>& ops_changed);

}  // namespace culprit
