#pragma once
// Python scripts that the binary carries, as they stand in the source tree.

#include <string_view>

namespace culprit {

/// repro.py, which goes into every bundle as it is: what it does and compares by, it reads from repro.json.
std::string_view repro_script();

/// repro.py of a repro of a pair (repro/pair/pair_repro.h).
std::string_view pair_repro_script();

/// hosts/onnx_reference.py, which runs a model through ONNX's reference evaluator (repro/onnx_evaluator.h).
std::string_view evaluator_script();

}  // namespace culprit
