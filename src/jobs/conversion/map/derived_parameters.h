#pragma once
// What converters make of the parameters of a network: stored tensors as they are, and folded, negated, stacked ones.

#include <map>
#include <string>
#include <vector>

#include "conversion/match_tensors.h"
#include "network/network.h"

namespace culprit {

/// Values that follow from constants alone, as a run gave them (readings/show_values.h).
using ComputedConstants = std::map<int, Tensor>;

/// A parameter of a layer, or one of `of` equal parts of it.
struct ReplacedParameter {
  int layer = -1, value = -1;
  int of = 1, part = 0;
  [[nodiscard]] bool overlaps(const ReplacedParameter& other) const {
    return layer == other.layer && value == other.value && (of != other.of || part == other.part);
  }
};

/// One of the parameters that are folded into a kernel and its bias, and what it does there, by slice of O.
struct FoldedPart {
  enum class Kind { kernel, factor, divisor, scale, variance, summand } kind = Kind::kernel;
  int layer = -1, value = -1;
  std::size_t at = 0;                ///< of NetworkLayer::inputs
  std::vector<double> numbers = {};  ///< its own; of a kernel none
  /// What a kernel or a summand is multiplied with on the way to the end; a mean has negative numbers here.
  std::vector<double> behind = {};
  double epsilon = 0;  ///< of a variance
};

struct DerivedTensor {
  TensorOfNumbers tensor;       ///< `place`: of its layer
  std::vector<int> parameters;  ///< values of the source that it is made of
  std::vector<int> layers;      ///< that it rests on; the one whose role it has first: a Conv, then its normalization
  std::string role;             ///< of the first layer's parameter: "kernel"
  std::string axes;             ///< as Parameter::axes: "OIHW"; "" where nothing is known
  std::string how;              ///< "" of a stored one; "kernel times scale of BatchNormalization 'bn1'"
  [[nodiscard]] bool is_stored() const { return how.empty(); }
  /// The factors of a kernel that is multiplied by slices of O, so that rounding before the folding is seen. Else
  /// empty.
  std::vector<float> factors = {};
  /// What it takes the place of: where a converter makes this, those are not in the target themselves. Of two derived
  /// tensors that share a part not both are found.
  std::vector<ReplacedParameter> stands_for = {};
  /// All that is folded into a kernel and its bias, in the order of the layers; of a bias as well. Else empty.
  std::vector<FoldedPart> folded = {};
};

/// Pure. What cannot be read as floats is left out. Values of `computed` count as parameters of the layers that use
/// them.
std::vector<DerivedTensor> derived_tensors(const Network& source, const ComputedConstants& computed = {});

}  // namespace culprit
