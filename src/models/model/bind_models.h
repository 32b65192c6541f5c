#pragma once
// Which input and output of B stands for which of A, where neither was made from the other.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/interface_binding.h"
#include "model/model.h"
#include "record/warning.h"

namespace culprit {

struct ModelBinding {
  std::vector<BoundInput> inputs;                            ///< `variant` is B's
  std::vector<std::pair<std::string, std::string>> outputs;  ///< A's and B's, in A's order
  std::vector<std::string> unbound;                          ///< "output 'z' of B", "input 'm' of A"
};

/// What messages call the two.
struct ModelNames {
  std::string a = "A", b = "B";
};

/// First what `map` says ("a=b", for inputs and outputs), then equal names, then names of tensors
/// (ValueInfo::tensor), then what is left by position, where there are as many on both sides; where those do not agree,
/// by the shape that only one on each side has. Kinds and ranks must agree, sizes where both are known; numeric types
/// may differ, and values are then cast to what B takes. Outputs that stand for none are left out and listed.
/// ErrorKind::usage where `map` names what is not there; unsupported where all of A is bound and B needs more;
/// bad_input where an input of B would not be fed, or no output is bound: the two have nothing in common.
Result<ModelBinding> bind_models(const Interface& a, const Interface& b, std::span<const std::string> map,
                                 const ModelNames& names = {});

/// A size of an input that A leaves open, and B does not.
struct FixedSize {
  ValueInfo input;  ///< A's
  std::size_t axis = 0;
  std::int64_t size = 0;  ///< B's
};
/// Of the inputs that are bound. Only samples of these sizes fit both.
std::vector<FixedSize> sizes_fixed_by(const Interface& a, const Interface& b, const ModelBinding& binding);

/// The warning `names_differ`, of inputs and outputs that stand for others of another name; nothing where
/// none does.
std::optional<Warning> names_differ(const ModelBinding& binding);

/// Outputs that stand for others of another name.
RenamedOutputs renamed_outputs(const ModelBinding& binding);

/// For each of A's outputs the place of B's that stands for it.
std::vector<std::size_t> places_of_outputs(const ModelBinding& binding, const Interface& b);

}  // namespace culprit
