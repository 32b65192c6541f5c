#pragma once
// Further samples, beside those that any model gets: they lie on the other sides of what the graph compares its inputs
// and their sizes with, and hold integers below zero and large ones where these steer nothing.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/synthesize.h"
#include "model/branch_conditions.h"

namespace culprit {

constexpr std::size_t most_further = 3;

/// What there is to reach.
struct Reach {
  Compared compared = {};            ///< of inputs and of sizes
  std::set<std::string> plain = {};  ///< integer inputs that steer nothing (model/free_integers.h)
};

struct Further {
  Sizes dims;                     ///< of all open dimensions
  std::vector<std::string> what;  ///< "length=41", "numbers around 30 in 'level'"
};

/// What further samples look like, at most `most_further`; none where the graph asks for none. `plan` and `other` are
/// what samples have anyhow, `count` of them, `given` the sizes that stay.
std::vector<Further> further_samples(const Interface& interface, const SynthesisPlan& plan,
                                     const std::optional<Sizes>& other, const Reach& reach, const Sizes& given,
                                     std::size_t count);

/// Makes the further sample number `which` of one that was drawn as any other: single elements take turns, of others
/// half are replaced. Only inputs of the interface; what a rule binds stays within it.
void reach_out(Sample& sample, const Interface& interface, const SynthesisPlan& plan, const Reach& reach,
               std::size_t which, std::uint64_t seed);

}  // namespace culprit
