#pragma once
// Where an output says nothing, values inside the graph that lead to it and to no output that says something are
// compared as well. They can only add faults: what agrees there proves nothing of what the output would be on better
// data.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/variants/judged_variants.h"
#include "executor/dispatcher.h"
#include "trial/drawn_judge.h"
#include "trial/reference.h"

namespace culprit {

class InnerValuesOfWeakData {
 public:
  /// `weak`: the outputs that say nothing; where all are, every value counts.
  InnerValuesOfWeakData(Dispatcher& dispatcher, const Reference& reference, std::set<std::string> weak);

  /// Runs every distinct variant that has no fault so far once more, with inner values exposed, at the level of the
  /// reference; a divergence beyond tolerance makes it `diverged`, confirmed in fresh processes. The first call reads
  /// the original's values, for which the control `capture` is made. May be called again, for variants made since.
  Result<void> examine(const JudgedVariants& variants);

  /// Reading inner values must change nothing: the original with its values exposed gives the same bits in its own
  /// outputs. Absent where nothing was read.
  [[nodiscard]] const std::optional<ControlRecord>& capture_control() const { return control_; }

 private:
  struct Exposed;
  struct Reading;

  Result<void> capture();
  Result<void> choose(const onnx::ModelProto& model);
  Result<std::optional<Exposed>> run_exposed(const onnx::ModelProto& model, const std::filesystem::path& file,
                                             std::size_t samples, const std::string& folder);
  Result<RunOutcome> run(const std::filesystem::path& model, std::size_t samples, const std::string& folder);
  void judge_capture(const RunOutcome& outcome);
  void refuse(const std::string& why);
  std::optional<Reading> reading_of(const DistinctRun& distinct);
  [[nodiscard]] std::shared_ptr<const Binding> binding_to(std::size_t outputs,
                                                          const std::vector<std::string>& values) const;
  void read(const Reading& reading);
  void confirm(const Reading& reading);
  void hold_against(const std::filesystem::path& file);
  void judge(const RunOutcome& outcome, const Reading& reading, const DrawnJudge::Then& then);

  Dispatcher& dispatcher_;
  const Reference& reference_;
  std::set<std::string> weak_;
  std::filesystem::path folder_;  ///< goes with the outputs
  bool captured_ = false;
  std::optional<ControlRecord> control_;
  std::vector<std::string> values_;              ///< that are compared; empty: nothing is
  std::vector<std::filesystem::path> expected_;  ///< packs of the original's outputs and values
  std::unique_ptr<Model> exposed_;               ///< the original with these values as outputs
  std::unique_ptr<const Reference> exposed_reference_;
  std::unique_ptr<DrawnJudge> judge_;
  std::vector<std::shared_ptr<VariantResult>> examined_;  ///< once each
  std::size_t files_ = 0;
};

}  // namespace culprit
