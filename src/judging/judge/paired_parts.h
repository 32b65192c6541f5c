#pragma once
// Outputs that are no plain tensors, part by part (tensor/structured_value.h): what is held against what, and what
// changed about the form. Another length, other keys, a value that is no longer there: that is as another shape of a
// tensor is, so the note says "... became ..." and the verdict is `diverged`.

#include <span>
#include <string>
#include <vector>

#include "judge/draw_results.h"
#include "judge/judge.h"
#include "tensor/tensor.h"

namespace culprit {

/// One part of the reference's outputs, and what stands there in the variant's.
struct PartPair {
  std::string label;                  ///< labels_of the reference's
  const Tensor* reference = nullptr;  ///< never null
  const Tensor* variant = nullptr;    ///< null where there is none; `change` then says why, but for a missing output
  std::string change;                 ///< "sequence length 3 became 2": nothing is compared then
  bool is_form = false;               ///< length, keys, presence: exact
  /// How much a size changed at most, where sizes are all that changed (a sequence's length, the shapes in it).
  /// Rounding may do that, as it changes the shape of a tensor. 0: no such change.
  std::int64_t resized = 0;
  std::string output = {};   ///< the name of the reference's output
  std::string as_resized{};  ///< `change`, where rounding alone does it too: "sequence length 3 resized to 2"
};

/// Every part of `reference` that can be compared; `positions`: where each output stands among the variant's, empty: in
/// the same place. Where the form of an output changed, only the part that tells so is left of it: elements that mean
/// something else must not be held against each other. Points into both.
std::vector<PartPair> pair_parts(std::span<const NamedTensor> reference, std::span<const NamedTensor> variant,
                                 const std::vector<std::size_t>& positions = {});

/// Adds what a draw gave of one part. One that failed, or changed what the part means, tells nothing of it.
void add_draw(Drawn& drawn, const PartPair& pair, unsigned ulps);

/// `measure`, or what changed about the form.
Measurement measure(const PartPair& pair, const Tolerance& tolerance, const Rounding& rounding = {});

}  // namespace culprit
