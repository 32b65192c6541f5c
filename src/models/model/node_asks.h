#pragma once
// Which values of its inputs make a node show what it is: beside its own limits, beyond what its type holds, at ties.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace onnx {
class NodeProto;
}

namespace culprit {

/// What one input of a node should hold. Exactly one of `numbers`, `words` and `is_index` says so.
struct Ask {
  int place = 0;                          ///< of the input
  std::vector<double> numbers = {};       ///< at and beside these; NaN and infinities themselves
  std::optional<std::int64_t> axis = {};  ///< then `numbers` are sizes of that axis, which may be negative
  std::vector<std::string> words = {};    ///< texts
  bool is_for_integers = false;           ///< `numbers` mean nothing to floats
  bool is_index = false;                  ///< below zero, and the same one twice
};

/// A small constant by the name of its value; nothing where it is none.
using ConstantOf = std::function<std::optional<Tensor>(const std::string&)>;

/// NaN for IsNaN, infinities for IsInf: asked for in any model.
std::vector<Ask> asks_for_not_finite(const onnx::NodeProto& node);

/// What to ask of a node that another model has otherwise: limits of Clip, Min, Max, Mod and the like, both signs of
/// what whole numbers are divided by, ends of a Slice, zeros and halves where a function bends, ties of ArgMax, what
/// overflows exp, whole numbers that a Cast rounds or wraps, words of text operators, indices. It knows ONNX's own
/// operators and ai.onnx.ml's texts only; there are none where the node has no such side.
std::vector<Ask> asks_of(const onnx::NodeProto& node, const ConstantOf& constant);

}  // namespace culprit
