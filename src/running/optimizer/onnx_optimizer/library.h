#pragma once
// ONNX Optimizer's own headers, without their warnings: a maintainer's tree is not an installed package, so the
// compiler would hold them to our rules.
#pragma GCC system_header

#include <onnx/common/ir.h>
#include <onnx/common/ir_pb_converter.h>
#include <onnxoptimizer/optimize.h>
