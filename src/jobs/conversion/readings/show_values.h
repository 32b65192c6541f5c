#pragma once
// The values of a side, read out of runs in chunks, without changing what the side computes.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conversion/readings/elements.h"
#include "conversion/readings/value_sketch.h"
#include "conversion/sides/side.h"
#include "executor/executor.h"

namespace culprit {

/// Counts of what was run, for the report.
struct ReadingFacts {
  std::int64_t runs = 0;  ///< samples that ran, over all jobs
  std::int64_t jobs = 0;
  std::int64_t values = 0;    ///< that were read
  std::int64_t not_read = 0;  ///< that no run could bring out
  std::int64_t halved = 0;    ///< runs that had to be made with fewer values
};

/// By sample: the network's own outputs, in their order.
using OutputsBySample = std::vector<std::vector<NamedTensor>>;

/// What one run gave.
struct ViewOutcome {
  bool has_run = false;
  std::string why;                                    ///< where it did not
  std::string reason;                                 ///< that without saying that it did not load or run
  RunOutcome::Stage stage = RunOutcome::Stage::done;  ///< where it failed
  std::map<int, std::vector<Tensor>> values;          ///< by value of the view: one tensor for each sample
  OutputsBySample outputs;
};

/// Runs views of one side and reads what they give.
class ViewRuns {
 public:
  /// Files lie below `folder`, which must exist, and are removed after each run. All must outlive it.
  ViewRuns(const Side& side, Executor& executor, std::filesystem::path folder)
      : side_(side), executor_(executor), folder_(std::move(folder)) {}

  [[nodiscard]] const Side& side() const { return side_; }
  /// One run; where the executor does several jobs at once, the samples are shared out. That the view cannot be
  /// prepared (unsupported), does not load or does not run is no Error, but `why`. Errors: interrupted, io.
  Result<ViewOutcome> run(const SideView& view, const std::vector<std::filesystem::path>& samples,
                          std::optional<Perturbation> perturbation = {});
  [[nodiscard]] ReadingFacts& facts() { return facts_; }

 private:
  const Side& side_;
  Executor& executor_;
  std::filesystem::path folder_;
  ReadingFacts facts_;
};

/// What is shown, on which samples, in how much memory.
struct ShowTask {
  std::vector<std::filesystem::path> samples;
  std::vector<SideFeed> feeds = {};
  std::vector<Edit> edits = {};
  std::uint64_t bytes_per_run = std::uint64_t{256} << 20;  ///< of values that one run brings out, over its samples
  /// Must the network's own outputs keep their bits, whatever is shown? Else fewer values are read at once. Costs one
  /// run in which nothing is shown.
  bool is_controlled = true;
  std::optional<Perturbation> perturbation = {};  ///< rounding imitated: a draw. It is not controlled

  /// How many bytes of elements stay in memory, of whatever was read.
  [[nodiscard]] std::uint64_t most_kept() const { return 3 * bytes_per_run; }
};

struct ShownValues {
  std::map<int, ValueSketch> sketches;  ///< by value
  /// Their elements, one tensor for each sample, of the first that take no more than `most_kept` of the task.
  std::map<int, std::vector<Tensor>> kept;
  std::map<int, std::string> not_read;  ///< and why
  std::vector<std::vector<NamedTensor>>
      outputs;      ///< by sample: the network's own, in their order; empty: it does not run
  std::string why;  ///< then
};

/// The network's outputs as `known` has them, the packs of runs that were made before; where these are not as many or
/// name an output otherwise, of a run. Errors: as of ViewRuns::run, and of reading.
Result<ViewOutcome> run_unless_known(ViewRuns& runs, const std::vector<std::filesystem::path>& samples,
                                     const std::vector<std::filesystem::path>& known);

/// What a run gave, as packs in `folder`, by which run_unless_known knows it. Errors: io.
Result<std::vector<std::filesystem::path>> write_outputs(const Network& network, const OutputsBySample& outputs,
                                                         const std::filesystem::path& folder);

/// Runs that may fail because of what they bring out, before the rest is given up: each halves a chunk.
constexpr std::size_t most_failed_readings = 64;

/// Sketches of these values. Elements beyond `most_kept` are dropped as soon as their chunk is sketched. Errors:
/// interrupted, io.
Result<ShownValues> show_values(ViewRuns& runs, const std::vector<int>& values, const ShowTask& task);

/// What follows from constants alone, by value: a kernel that a Cast, a Transpose or a DequantizeLinear makes. One
/// sample is enough. What no run brings out is not among them. Errors: interrupted, io.
Result<std::map<int, Tensor>> show_constants(ViewRuns& runs, const std::vector<std::filesystem::path>& samples);

/// What the samples give for an input of the network, or the feed where there is one; empty of all other values.
Result<std::vector<Tensor>> given_to(const Side& side, int value, const std::vector<std::filesystem::path>& samples,
                                     const std::vector<SideFeed>& feeds = {});

/// Elements by reading ahead: with the value that is asked for come those behind it in `order`, up to
/// task.bytes_per_run (sizes by `sketches`), and of all that was read task.most_kept() stay. Inputs need no run.
class ReadAhead : public Elements {
 public:
  /// `kept`: what was read before.
  ReadAhead(ViewRuns& runs, std::vector<int> order, std::map<int, ValueSketch> sketches, ShowTask task,
            const std::map<int, std::vector<Tensor>>& kept = {});
  Result<std::vector<Tensor>> of(int value) override;

 private:
  [[nodiscard]] std::vector<int> chunk_from(std::size_t place) const;
  Result<void> read_from(std::size_t place);
  void keep(int value, const std::vector<Tensor>& tensors);

  ViewRuns& runs_;
  std::vector<int> order_;
  std::map<int, std::size_t> places_;
  std::map<int, ValueSketch> sketches_;
  ShowTask task_;
  std::map<int, std::vector<Tensor>> kept_;
  std::deque<int> age_;  // of what is kept, the oldest first
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace culprit
