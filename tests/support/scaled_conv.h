#pragma once
// Convolutions and BatchNormalizations whose numbers are badly scaled, as after a bad training or an import from
// another framework: folding one into the other is right, and yet moves the last bits a lot. A tool with fixed
// tolerances raises false alarms here.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/dtype.h"

namespace culprit::testing {

/// Numbers from 10^low to 10^high, with as many in each decade.
struct Decades {
  std::int64_t low = 0, high = 0;
};

struct ScaledConv {
  std::string name;
  std::int64_t opset = 13;
  DType dtype = DType::f32;
  std::string after;            ///< the operator behind, so that no two share their operators and opset
  std::int64_t dimensions = 2;  ///< of space: 1, 2 or 3
  std::int64_t group = 1;
  bool bias = false;  ///< of Conv
  Decades weight, scale, variance, mean;
  bool zero_variance = false;  ///< in every other channel
  bool cancels = false;        ///< the bias of Conv is the mean: two large numbers that annul each other
  float epsilon = 1e-5F;
};

/// 15 opsets x 2 operators behind in float32, and four in float16.
std::vector<ScaledConv> scaled_convs();

/// x -> Conv -> BatchNormalization -> `after` -> y. The values depend on the name alone.
onnx::ModelProto model_of(const ScaledConv& layer);

}  // namespace culprit::testing
