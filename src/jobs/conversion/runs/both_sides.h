#pragma once
// The two networks of a conversion with the samples: what is shown of each, read and judged.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "conversion/map/match_values.h"
#include "conversion/readings/drawn_floors.h"
#include "conversion/readings/show_values.h"
#include "executor/executor.h"

namespace culprit {

/// How runs are read, the same on both sides.
struct SideReading {
  std::uint64_t bytes_per_run = std::uint64_t{256} << 20;
  FloorOptions floors;
};

/// One side with its samples.
struct ReadSide {
  ReadSide(const Side& side_, Executor& executor, std::filesystem::path folder, const SideReading& options_);

  const Side& side;
  Ways ways;
  ViewRuns runs;
  SideReading options;
  std::vector<int> shown;                          ///< all that layers compute and runs can show, in order
  std::vector<std::filesystem::path> samples;      ///< all, by this side's names
  std::vector<std::filesystem::path> map_samples;  ///< the first few
  std::map<int, ValueSketch> sketches;             ///< on these, as it came; inputs among them
  std::map<int, std::vector<Tensor>> kept;         ///< elements of them, as far as there is room
  bool is_read_whole = false;                      ///< sketches are of all that is shown

  [[nodiscard]] const Network& network() const { return side.network(); }
  [[nodiscard]] ShowTask task(bool on_all_samples, std::vector<SideFeed> feeds = {}) const;
  /// Elements on these samples, read when they are asked for. Draws where there is a perturbation.
  std::unique_ptr<Elements> elements(ShowTask task, const std::map<int, std::vector<Tensor>>& known = {});
  /// Its elements on the map samples, as it came: what was kept is not read again.
  std::unique_ptr<Elements> elements_on_map();
  /// Draws of it under these feeds; an empty function where its files cannot be drawn.
  DrawnFloors::DrawsOf draws(bool on_all_samples, std::vector<SideFeed> feeds = {});
  /// Reads all that is shown on the map samples, as it came: sketches and elements. How many values cannot be read.
  /// Errors: of reading.
  Result<std::size_t> read_shown();
  /// Sketches of the inputs on the map samples join the others. Errors: io, bad_input.
  Result<void> sketch_inputs();
};

/// What one sample, a pack by its names, gives for its inputs, in their order: an empty tensor of what is missing.
/// Errors: io, bad_input.
Result<std::vector<Tensor>> inputs_in(const ReadSide& side, const std::filesystem::path& sample);

/// What the map samples give for its inputs: by sample, in the order of the inputs, an empty tensor of what is missing.
/// Errors: io, bad_input.
Result<std::vector<std::vector<Tensor>>> inputs_on_map(const ReadSide& side);

/// Both, and what of the source is kept for all that is asked of it again and again.
struct BothSides {
  ReadSide& source;
  ReadSide& target;
  Elements& source_on_map;  ///< its values on the map samples
  Elements& source_on_all;  ///< and on all
};

/// Outputs by value, as they are in all samples; nothing where one of them is no plain tensor.
std::map<int, std::vector<Tensor>> values_of_outputs(const Network& network,
                                                     const std::vector<std::vector<NamedTensor>>& by_sample);

/// How a source's value is fed to the target: in the order of the match, in the shape that the target's own value has,
/// or where that is of another size in the source's shape in that order. Errors: internal.
Result<Tensor> fed_tensor(const Tensor& source, const ValueOrder& order, const SampleSketch* target);

/// What a value of the target looks like on a sample that was not read, where the source has so many elements: as on
/// one of that size, or as on the first with another batch. nullopt: none was read.
std::optional<SampleSketch> sketch_of_size(const ValueSketch& sketch, std::int64_t count);

/// The feeds of matches, of a sample each. Inputs of the target are left out: samples have them. `sketches`: the
/// target's. Errors: of reading; internal where a value cannot be read or laid out.
Result<std::vector<SideFeed>> feeds_of(const BothSides& sides, const std::vector<ValueMatch>& matches,
                                       const std::map<int, ValueSketch>& sketches, bool on_all_samples);

/// A pair of a match, to be judged.
ValuePair pair_of(const ValueMatch& match, std::span<const Tensor> source, std::span<const Tensor> target);

}  // namespace culprit
