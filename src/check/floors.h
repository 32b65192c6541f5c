#pragma once
// What is known of rounding: a noise floor for each output, and for each sample the elements that are ties.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/judge.h"

namespace culprit {

struct Floors {
  std::map<std::string, NoiseFloor> outputs;  ///< by output of the reference; one floor for all plain samples
  /// The same for the samples from `first_directed` on: what is large or jumps there must not excuse anything on plain
  /// ones.
  std::map<std::string, NoiseFloor> directed = {};
  std::size_t first_directed = SIZE_MAX;
  std::set<std::size_t> drawn;  ///< samples whose ties are known
  /// By sample and output, a byte an element; only where some element is a tie.
  std::map<std::pair<std::size_t, std::string>, std::vector<std::uint8_t>> ties;
  /// By sample and output, by axis: by how much draws changed its size at most; only where some draw did.
  std::map<std::pair<std::size_t, std::string>, std::vector<std::int64_t>> resized = {};

  /// Noise floors are the model's; ties are each level's own.
  void take_noise(const Floors& known) {
    outputs = known.outputs;
    directed = known.directed;
    first_directed = known.first_directed;
  }

  [[nodiscard]] bool is_directed(std::size_t sample) const { return sample >= first_directed; }

  /// Do the floats of this output come off a jump (model/stepped.h)? Known with the noise floor.
  [[nodiscard]] bool is_stepped(const std::string& output) const {
    for (const auto* floors : {&outputs, &directed}) {
      if (const auto floor = floors->find(output); floor != floors->end() && floor->second.stepped) return true;
    }
    return false;
  }

  /// What explains a difference in this output of this sample. Ties are used in samples below `ties_below`.
  [[nodiscard]] Rounding rounding(std::size_t sample, const std::string& output, std::size_t ties_below) const {
    Rounding rounding;
    rounding.is_directed = is_directed(sample);
    const auto& floors = rounding.is_directed ? directed : outputs;
    if (const auto floor = floors.find(output); floor != floors.end()) rounding.floor = floor->second.abs;
    const auto at = ties.find({sample, output});
    if (sample < ties_below && at != ties.end()) rounding.ties = at->second;
    const auto sizes = resized.find({sample, output});
    if (sample < ties_below && sizes != resized.end()) rounding.resized = sizes->second;
    return rounding;
  }
};

}  // namespace culprit
