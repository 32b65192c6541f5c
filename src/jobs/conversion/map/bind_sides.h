#pragma once
// Which input and output of the target stands for which of the source, in which order of axes. Pure: what has to be run
// to tell is asked through a function.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conversion/map/match_values.h"
#include "network/network.h"
#include "record/warning.h"

namespace culprit {

struct SideBinding {
  std::vector<ValueMatch> inputs;    ///< by = binding, in the source's order
  std::vector<ValueMatch> outputs;   ///< likewise; outputs of the source without one are missing
  std::vector<std::string> unbound;  ///< "output 'z' of the target"
  std::vector<Warning> warnings;     ///< binding_by_position
};

/// Shapes and types of the source's inputs, as samples have them.
struct InputsSeen {
  const Network& source;
  const Network& target;
  std::vector<std::vector<Tensor>> samples;  ///< by sample: the source's inputs in its order
  std::vector<std::string> map;              ///< --map: "a=b"
};

/// How well a binding of inputs does: the share of values of the source's first layers that are found in the target
/// when it is fed so; negative where it does not run.
using TryInputs = std::function<Result<double>(const std::vector<ValueMatch>& inputs)>;

/// First `map`, then equal names, then all assignments with equal counts and kinds (at most 24), each with the orders
/// of axes that keep the batch. Only where more than one fits is `attempt` asked, at most 12 times. Errors: usage (map
/// names what is not there), bad_input (no assignment fits: the two have nothing in common), interrupted, io.
Result<SideBinding> bind_inputs_of_sides(const InputsSeen& seen, const TryInputs& attempt);

/// Do an output of the source and one of the target (values) rest on the same parameters?
using RestOnTheSame = std::function<bool(int source, int target)>;

/// Adds the outputs: by `map`, by names, then by count, shape and closeness over all samples, greedy. Where a fault
/// leaves nothing close, closeness says little: there those come first that `rest_on_the_same`. `source`, `target`: by
/// sample the outputs in their network's order. Errors: usage; bad_input where no output stands for another.
Result<void> bind_outputs_of_sides(SideBinding& binding, const InputsSeen& seen,
                                   const std::vector<std::vector<NamedTensor>>& source,
                                   const std::vector<std::vector<NamedTensor>>& target,
                                   const RestOnTheSame& rest_on_the_same = {});

/// A sample of the source as the target takes it, by the target's names. Errors: bad_input.
Result<std::vector<NamedTensor>> bound_sample(const std::vector<ValueMatch>& inputs, const Network& source,
                                              const Network& target, std::span<const NamedTensor> sample);

/// The samples as the target takes them: its names, order of axes, types. Packs in `folder`, which must exist; one for
/// each of `samples` (packs by the source's names). Errors: io, bad_input.
Result<std::vector<std::filesystem::path>> write_bound_samples(const SideBinding& binding, const Network& source,
                                                               const Network& target,
                                                               const std::vector<std::filesystem::path>& samples,
                                                               const std::filesystem::path& folder);

}  // namespace culprit
