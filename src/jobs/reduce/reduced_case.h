#pragma once
// What is reduced: a model that fails, and what it is fed.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "tensor/tensor.h"

namespace culprit {

using Inputs = std::vector<NamedTensor>;

struct Case {
  std::shared_ptr<const onnx::ModelProto> model;  ///< external data inside
  std::vector<Inputs> samples;                    ///< each by name
};

/// Values inside a model on each of its samples, by name: plain tensors only.
using Captured = std::vector<std::map<std::string, Tensor>>;

/// A case, and what is known of its inner values; these may lack any name.
struct View {
  const onnx::ModelProto& model;
  const std::vector<Inputs>& samples;
  const Captured& values;
  View(const Case& a_case, const Captured& captured)
      : model(*a_case.model), samples(a_case.samples), values(captured) {}
};

/// How much a person has to look at, the most important first; a step is one only if this falls. So a reduction ends.
struct CaseSize {
  std::int64_t nodes = 0;        ///< those of bodies too
  std::int64_t elements = 0;     ///< of stored tensors and of all samples
  std::int64_t interface = 0;    ///< inputs, outputs, initializers; those of bodies too
  std::int64_t unlike_zero = 0;  ///< elements: 1 for a one, 2 for any other number but zero
  std::int64_t bytes = 0;        ///< of the model, serialized
  [[nodiscard]] auto key() const { return std::tie(nodes, elements, interface, unlike_zero, bytes); }
  bool operator<(const CaseSize& other) const { return key() < other.key(); }
};
CaseSize size_of(const Case& a_case);

/// What a case means: the model's fingerprint (model/fingerprint.h) and the samples with their names. `to_the_letter`:
/// the bytes of the model instead, for steps that only change what a fingerprint leaves out.
Hash128 key_of(const Case& a_case, bool to_the_letter);

}  // namespace culprit
