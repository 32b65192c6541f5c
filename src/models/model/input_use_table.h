#pragma once
// Which inputs of which operators are more than data.

#include <onnx/onnx_pb.h>

#include <string_view>

#include "model/input_uses.h"

namespace culprit {

/// Says where the size that bounds a value is found.
enum class BoundBy {
  nothing,
  shape_only,  ///< the data's shape goes along
  axis,        ///< the data's length along the attribute `axis`
  all_axes,    ///< the data's shortest axis
  rank,        ///< the data's rank
  value,       ///< the number in that slot
};

/// Slot `slot` of `op` is of this kind; what bounds it is read from slot `data`.
struct SlotUse {
  std::string_view op;
  int slot;
  UseKind kind;
  BoundBy bound = BoundBy::nothing;
  int data = 0;
  std::int64_t axis = 0;  ///< where the attribute is not there
  std::string_view attribute = "axis";
};

/// nullptr where that slot takes plain data. Domains are not told apart: the names are.
const SlotUse* use_of_slot(const onnx::NodeProto& node, int slot, std::int64_t opset);

/// Does this input go into the output with its elements as they are, but for their order and number?
bool passes_on(std::string_view op, int slot);
/// Does the output still tell which elements of this input are zero?
bool keeps_zeros_apart(std::string_view op);

}  // namespace culprit
