#pragma once
// Does a network store or compute in fewer bits than float32? Then it is off by what was meant to be, and no layer of
// it is to blame for that.

#include <map>
#include <string>

#include "conversion/readings/value_sketch.h"
#include "network/network.h"

namespace culprit {

struct CoarseTypes {
  DType weights = DType::undefined;  ///< the narrowest type of its larger constants; undefined: none is narrow
  DType values = DType::undefined;   ///< the narrowest that its layers compute in; likewise
  bool is_by_channel = false;        ///< integers with a scale for each channel
  [[nodiscard]] bool is_any() const { return weights != DType::undefined || values != DType::undefined; }
};

/// "int8 weights and uint8 values": for messages.
std::string to_string(const CoarseTypes& types);

/// `sketches`: of its values, with the types that runs gave. What is neither a weight (a constant that a layer works
/// with, or that Cast or DequantizeLinear makes one of) nor made by a layer that quantizes or computes in half does not
/// count: a picture of uint8 is no coarse value.
CoarseTypes coarse_types_of(const Network& network, const std::map<int, ValueSketch>& sketches);

}  // namespace culprit
