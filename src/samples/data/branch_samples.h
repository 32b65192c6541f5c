#pragma once
// Further samples, beside those that any model gets: they lie on the other sides of what the graph compares its inputs
// and their sizes with, look up the rows of a table that are unlike the others, and hold integers below zero and large
// ones where these steer nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/reach.h"
#include "data/synthesize.h"

namespace culprit {

constexpr std::size_t most_further = 3;         ///< of one model
constexpr std::size_t most_further_of_two = 6;  ///< of two that are held against each other

struct Further {
  Sizes dims;                     ///< of all open dimensions
  std::vector<std::string> what;  ///< "length=41", "numbers around 30 in 'level'"
};

/// What further samples look like, at most so many; none where the graph asks for none. `plan` and `other` are
/// what samples have anyhow, `count` of them, `given` the sizes that stay.
std::vector<Further> further_samples(const Interface& interface, const SynthesisPlan& plan,
                                     const std::optional<Sizes>& other, const Reach& reach, const Sizes& given,
                                     std::size_t count);

/// Makes the further sample number `which` of one that was drawn as any other: single elements take turns, of others
/// half are replaced. Only inputs of the interface; what a rule binds stays within it.
void reach_out(Sample& sample, const Interface& interface, const SynthesisPlan& plan, const Reach& reach,
               std::size_t which, std::uint64_t seed);

}  // namespace culprit
