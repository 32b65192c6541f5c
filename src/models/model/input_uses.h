#pragma once
// What a model does with the numbers that it is fed: which table an integer indexes, which length it states, whether it
// is a mask. Read off the graph, without running it and without shape inference (which may crash on hostile models).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

enum class UseKind {
  index,             ///< 0 <= value < limit: rows of a table, positions along an axis
  scatter_index,     ///< as index, and no place should be written twice
  length,            ///< 1 <= value <= limit: of a sequence, or how many to take
  axis,              ///< of data of rank `limit`; no axis twice
  reshape_to,        ///< the shape that data of `shape` get
  expand_to,         ///< the shape that data of `shape` are broadcast to
  new_shape,         ///< of something filled
  repeats,           ///< how often to tile
  pads,              ///< how much to pad
  starts,            ///< of a slice of data of `shape`
  ends,              ///< of a slice of data of `shape`
  steps,             ///< of a slice
  range_start,       ///< of Range
  range_limit,       ///< of Range
  range_delta,       ///< of Range
  split_sizes,       ///< parts of an axis of length `limit`
  roi,               ///< of Resize: the starts of all axes, then the ends
  scales,            ///< of Resize, for data of `shape`
  sizes,             ///< of Resize, for data of `shape`
  condition,         ///< of If
  trip_count,        ///< of Loop
  going_on,          ///< whether a Loop begins
  box_count,         ///< of NonMaxSuppression: how many at most
  overlap,           ///< of NonMaxSuppression: between 0 and 1
  score,             ///< of NonMaxSuppression: the least that counts
  ratio,             ///< of Dropout
  training,          ///< of Dropout
  quantized,         ///< the integers of a quantized tensor
  quantized_scale,   ///< positive
  zero_point,        ///< of a quantized tensor
  variance,          ///< positive
  mask,              ///< ones where something counts
  compared_to_one,   ///< with the number `low`
  compared_to_many,  ///< with numbers from `low` to `high`
};

/// One place that uses an input, perhaps behind operators that only move its elements.
struct Use {
  UseKind kind;
  Dim limit = {};               ///< a number, the name of an open dimension (as --dim takes it), or nothing known
  std::int64_t offset = 0;      ///< added to the input on the way: value + offset must keep to the limit
  std::vector<Dim> shape = {};  ///< of the data concerned, where their rank is known
  bool is_whole = true;         ///< false: the input is a part only of what is used (through Concat)
  double low = 0, high = 0;     ///< compared_to_*
  std::string op = {};          ///< "Gather"
  std::string of = {};          ///< the table or data concerned: "wte"; "" where it has no name
  std::string data = {};        ///< the value that the node itself reads there: "wte_transposed"
  std::optional<std::int64_t> axis = {};  ///< of an index: the axis of the data that it counts along, where it is one
  std::string result = {};                ///< the value that the node makes
};

/// Uses of the graph's inputs by name, in the order of the graph; inputs with none are left out. Follows values forward
/// through Cast, Identity, Reshape, Squeeze, Unsqueeze, Transpose, Slice, Concat, Gather, Expand and the like, into the
/// bodies of If, Loop and Scan and into functions. Nodes are visited at most 500,000 times, nests at most 32 deep; what
/// lies beyond is not read.
std::map<std::string, std::vector<Use>> uses_of_inputs(const onnx::ModelProto& model);

/// Sizes that open dimensions of the inputs must have, by name as --dim takes it: 1 where they are squeezed away, the
/// rows of a weight that they are multiplied with, the channels of a convolution. Bodies of control flow are not asked.
std::map<std::string, std::int64_t> sizes_needed(const onnx::ModelProto& model);

}  // namespace culprit
