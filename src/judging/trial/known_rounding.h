#pragma once
// What is known of rounding: for each sample that was drawn, and each number of draws, what they explain of the
// outputs. Kept by the number of draws, so that a verdict does not depend on what other variants had drawn before.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "judge/judge.h"

namespace culprit {

struct KnownRounding {
  using Outputs = std::map<std::string, Explained>;  ///< by label (tensor/structured_value.h)

  std::map<std::string, Nature> natures;                    ///< by output of the model
  std::map<std::pair<std::size_t, int>, Outputs> by_draws;  ///< by sample and how many draws were asked for
  std::size_t first_directed = SIZE_MAX;                    ///< samples from here on are made-up extremes

  bool never_moves = false;  ///< there is nothing to draw: nothing in it is rounded

  std::set<std::size_t> decisive = {};  ///< samples on which the smallest difference is drawn for

  [[nodiscard]] bool is_directed(std::size_t sample) const { return sample >= first_directed; }

  /// Null where so many draws are not known.
  [[nodiscard]] const Explained* find(std::size_t sample, int draws, const std::string& label) const {
    const auto at = by_draws.find({sample, draws});
    if (at == by_draws.end()) return nullptr;
    const auto output = at->second.find(label);
    return output == at->second.end() ? nullptr : &output->second;
  }

  /// How a tensor of that output moves; nothing is known of outputs that no node makes.
  [[nodiscard]] Nature nature_of(const std::string& output, DType type) const {
    const auto at = natures.find(output);
    return nature_for(type, at == natures.end() ? Nature::smooth : at->second);
  }
};

/// What draws of a variant itself explain, by sample and label (docs/judging.md, "By other operators").
struct VariantRounding {
  std::map<std::pair<std::size_t, std::string>, Explained> outputs = {};

  /// Null where it was not drawn.
  [[nodiscard]] const Explained* find(std::size_t sample, const std::string& label) const {
    const auto at = outputs.find({sample, label});
    return at == outputs.end() ? nullptr : &at->second;
  }
};

}  // namespace culprit
