#pragma once
// What a graph compares its inputs, and the sizes of their open dimensions, with: data that lie on one side of it see
// one branch.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/looked_up_rows.h"

namespace onnx {
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace culprit {

struct ComparedNumbers {
  std::vector<double> numbers = {};  ///< finite, ascending, each once
  bool is_reduced = false;           ///< what is compared is the largest, the least or the mean of all elements
  std::vector<double> exact =
      {};                      ///< ascending; those with no arithmetic between, which might round what is just equal
  bool asks_nan = false;       ///< IsNaN
  bool asks_infinite = false;  ///< IsInf
  bool operator==(const ComparedNumbers&) const = default;
};

struct Compared {
  std::map<std::string, ComparedNumbers> inputs = {};           ///< by input: numbers as its elements see them
  std::map<std::string, std::vector<std::string>> words = {};   ///< by input of strings, each once
  std::map<std::string, std::vector<std::int64_t>> sizes = {};  ///< by open dimension, as --dim takes it; ascending
  std::set<std::string> indices = {};                           ///< inputs that should be below zero and repeat

  /// All that either asks for.
  void add(const Compared& other);
};

/// The constants beside Equal, Greater, GreaterOrEqual, Less and LessOrEqual, and the keys of encoders (ai.onnx.ml), in
/// bodies of control flow as well; of each input, each size at most 16. Followed backwards through operators that move
/// elements, Cast, Where, Min, Max, Mod, Neg, Abs, Sqrt, the largest, least or mean, arithmetic with single constants,
/// and from Shape and Size to the open dimension. IsNaN and IsInf ask for what they look for. Names are not told apart
/// by scope; functions are not read.
Compared compared_with(const onnx::ModelProto& model);

/// Open dimensions that say how long some values are (of which `end` is one that says how many rows are read), followed
/// backwards in the same way: sizes at and beside the numbers of these rows.
Compared sizes_behind(const onnx::ModelProto& model, std::span<const TellingLength> lengths);

/// What some of a model's nodes ask of its inputs (model/node_asks.h), followed backwards in the same way.
Compared asked_by(const onnx::ModelProto& model, std::span<const onnx::NodeProto* const> nodes);

}  // namespace culprit
