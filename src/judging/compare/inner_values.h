#pragma once
// All mapped values of two models against each other: read in chunks, held against their noise floors, and where they
// differ, made again by B's nodes from A's values.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "compare/compared_graphs.h"
#include "compare/labelled_tensors.h"
#include "compare/read_chunks.h"
#include "compare/rerun_regions.h"
#include "compare/value_rounding.h"
#include "record/measurement.h"

namespace culprit {

/// The samples that inner values are read on.
struct InnerSamples {
  std::vector<std::filesystem::path> inputs;
  Packs outputs_a, outputs_b;  ///< that the models gave undisturbed: reading must not change a bit of them
};

/// What is known of one value of A.
struct InnerValue {
  ValueState state = ValueState::gone;
  Measurement measurement;
  std::optional<double> alone;
};

class InnerValues {
 public:
  /// Runs that may fail because of what they bring out, before the rest is given up: each halves a chunk.
  static constexpr std::size_t most_failures = 64;

  /// Reads nothing yet. `graphs` and `samples` must outlive it.
  InnerValues(const ComparedGraphs& graphs, const InnerSamples& samples, NoiseDraws& draws,
              const CompareOptions& options, const CompareTools& tools);

  /// Reads and compares all of them; an Error only where the machine fails or the user stops it.
  Result<void> compare();

  [[nodiscard]] const std::vector<InnerValue>& values() const { return values_; }  ///< by A's value
  /// By B's value: does a value of A stand for it, that can be given to B's nodes?
  [[nodiscard]] const std::vector<bool>& is_cut() const { return is_cut_; }
  [[nodiscard]] const std::vector<int>& a_of() const { return a_of_; }  ///< by B's value that is cut
  /// By B's value: its type, where it was read.
  [[nodiscard]] DType dtype_b(int value) const { return dtype_b_[static_cast<std::size_t>(value)]; }
  [[nodiscard]] CaptureFacts facts() const;
  /// What was made here by another measure is unclear.
  void forget_what_is_made_here();
  /// B's nodes were asked once more (compare/remade_values.h): what they make wrong of A's values.
  void take(int value, ValueState state, const Measurement& remade);

 private:
  using Values = std::vector<int>;
  struct Reading {
    Packs a, b;
  };

  void choose();
  [[nodiscard]] bool can_be_read(int value) const;
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> declared_sizes() const;
  Result<void> read(const Values& values);
  Result<std::optional<Reading>> capture(const Values& values);
  Result<void> not_captured(const Values& values);
  [[nodiscard]] Result<RunJob> reading_job(const EditableModel& piece, const std::vector<std::string>& names,
                                           bool of_b);
  [[nodiscard]] Values needed_of_a(const Values& values) const;
  [[nodiscard]] std::optional<Tensor> of_b(int value, const Reading& reading, std::size_t sample) const;
  void measure_all(const Values& values, const Reading& reading, const Noise& noise);
  Result<void> draw_again(const Values& differing, const Reading& reading, Noise& noise);
  Result<void> make_alone(const Values& differing, const Reading& reading, const Noise& noise);
  [[nodiscard]] std::optional<std::vector<FedTensors>> fed_for(const Values& differing, const Reading& reading) const;
  [[nodiscard]] Values those_that_differ(const Values& values) const;
  void refuse(int value, const std::string& why);
  /// What a difference reaches.
  struct Reach {
    Values differing, equal;
    bool is_closed = true;  ///< behind every differing value stands one that is equal
  };

  [[nodiscard]] bool differs(int value) const;
  [[nodiscard]] Reach reach_of(int value) const;
  Result<void> find_unlike();
  Result<bool> is_contradicted(const Values& behind);

  const ComparedGraphs& graphs_;
  const InnerSamples& samples_;
  NoiseDraws& draws_;
  const CompareOptions& options_;
  const CompareTools& tools_;
  RegionRuns regions_;
  Values targets_;  // in the order of A's graph
  std::vector<InnerValue> values_;
  std::vector<bool> is_cut_;
  std::vector<int> a_of_;
  std::vector<DType> dtype_b_;        // of B's values, once they were read
  std::vector<std::uint64_t> bytes_;  // of a chunk's values, for the next
  CaptureFacts facts_;
  std::size_t failures_ = 0;
  std::string why_;  // a run gave nothing
};

}  // namespace culprit
