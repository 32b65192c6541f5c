#pragma once
// Samples as ONNX keeps them beside a model: test_data_set_N/input_0.pb, output_0.pb ...
// https://github.com/onnx/onnx/blob/main/docs/OnnxBackendTest.md

#include <filesystem>
#include <span>

#include "base/error.h"
#include "reduce/reduced_case.h"

namespace culprit {

/// Writes test_data_set_0, 1 ... into `folder` in place of what is there, each in `scratch` first and then moved (both
/// exist, on the same disk); those with higher numbers, of a case with more samples, are removed. Inputs stand in the
/// order of the model's, outputs (none: there are no files of them) as they come. Values that are no tensors have no
/// file: ErrorKind::unsupported.
Result<void> write_data_sets(const Case& a_case, std::span<const Inputs> outputs, const std::filesystem::path& folder,
                             const std::filesystem::path& scratch);

}  // namespace culprit
