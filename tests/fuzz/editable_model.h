#pragma once
// A model under mutation, and how a mutation picks what it changes.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace culprit::fuzz {

/// A model to begin with.
struct Seed {
  std::string name;
  onnx::ModelProto model;
};

struct EditableModel {
  onnx::ModelProto& model;
  Random& random;
  const std::vector<Seed>& seeds;  ///< to borrow from

  /// The main graph and those in attributes, at most some levels deep.
  [[nodiscard]] std::vector<onnx::GraphProto*> graphs() const;
  /// One of these, most often the main one.
  [[nodiscard]] onnx::GraphProto& graph() const;
  /// A node of any graph or function; null where there is none.
  [[nodiscard]] onnx::NodeProto* node() const;
  /// An attribute of any node; null where there is none.
  [[nodiscard]] onnx::AttributeProto* attribute() const;
  /// An initializer or a tensor in an attribute; null where there is none.
  [[nodiscard]] onnx::TensorProto* tensor() const;
  /// The description of an input, an output or an inner value; null where there is none.
  [[nodiscard]] onnx::ValueInfoProto* value() const;
  /// The graph of some seed.
  [[nodiscard]] const onnx::GraphProto& borrowed() const;
  /// The name of a value that the graph has, or of none.
  [[nodiscard]] std::string name_in(const onnx::GraphProto& graph) const;

  [[nodiscard]] bool chance(double probability) const { return random.uniform() < probability; }
  /// 0 to count - 1; 0 where count is 0.
  [[nodiscard]] int below(int count) const { return static_cast<int>(random.between(0, count > 0 ? count - 1 : 0)); }
};

/// An element of a repeated field, or null.
template <class Repeated>
auto* pick(Repeated* repeated, const EditableModel& work) {
  return repeated->empty() ? nullptr : repeated->Mutable(work.below(repeated->size()));
}

template <class T>
const T& one_of(const std::vector<T>& all, const EditableModel& work) {
  return all[static_cast<std::size_t>(work.below(static_cast<int>(all.size())))];
}

/// Numbers at which counts, sizes and offsets go wrong.
std::int64_t edge_number(const EditableModel& work);
/// NaN, infinities, the smallest and the largest, zeros of both signs.
float edge_float(const EditableModel& work);
/// Names that are empty, long, not UTF-8, hold control characters or zeros, or look like paths, flags and formats.
std::string edge_name(const EditableModel& work);
/// Types of elements, those that there are and some that there are not.
int edge_type(const EditableModel& work);
/// A type of values: tensors, sparse tensors, and sequences, maps and optionals in each other.
void make_type(onnx::TypeProto& type, const EditableModel& work, int depth = 0);

}  // namespace culprit::fuzz
