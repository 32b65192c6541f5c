#pragma once
// Types that an optimizer's own form of a model cannot hold. ONNX's C++ IR, on which ONNX Optimizer works, keeps the
// element type and the shape of tensors only (onnx/common/ir_pb_converter.cc): a sequence, map or optional leaves it
// without a type. The checker refuses such a model; ONNX Runtime infers the type of an output, and refuses an input.

#include <string>
#include <vector>

#include "model/model.h"
#include "record/warning.h"

namespace culprit {

/// Gives inputs and outputs of `variant`, those of graphs inside as well, that have no type the one that a value of the
/// same name, and not a tensor, has in `original`. Returns what was put back in the outermost graph: "output 'y'".
std::vector<std::string> put_back_types(const onnx::ModelProto& original, onnx::ModelProto& variant);

/// What the export did, from a variant whose types were put back: all types are left out that are not a tensor's.
void leave_out_types(onnx::ModelProto& variant);

/// "the optimizer's export leaves out the type of output 'y'".
std::string lost_types_text(const std::vector<std::string>& lost);

/// The warning about it, and the same to be found again.
constexpr const char* types_lost = "types_lost";
Warning types_lost_warning(const std::vector<std::string>& lost);

}  // namespace culprit
