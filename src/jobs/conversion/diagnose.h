#pragma once
// What went wrong when a model was converted: where the two networks part, what the fault is, and the proof. Pure but
// for its folder: all runs are asked of the Executor.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "conversion/faults/mendable_faults.h"
#include "conversion/keep/changed_labels.h"
#include "conversion/sides/side.h"
#include "record/diagnosis.h"

namespace culprit {

/// How far it is looked.
enum class DiagnosisDepth {
  outputs,          ///< are they right?
  faults_if_wrong,  ///< and what is wrong, where one is
  all,              ///< also faults that no output shows
};

struct DiagnoseOptions {
  std::vector<std::string> map;  ///< --map: "a=b", inputs and outputs
  /// --target-data: packs by the target's names, sample by sample for those of the source. Empty: it is fed the same.
  std::vector<std::filesystem::path> target_samples = {};
  Tolerance tolerance = {};
  bool strict = false;  ///< beyond the noise floor is a difference, also within the tolerance
  int draws = 3;        ///< of each side
  std::size_t map_samples = 4;
  std::uint64_t bytes_per_run = std::uint64_t{256} << 20;
  std::size_t most_faults = 16;
  int most_cuts = 40;
  DiagnosisDepth depth = DiagnosisDepth::all;
  bool keeps_outputs = false;                ///< of the target, in the folder
  ChangesDecision changes = changes_labels;  ///< what a sample decides, for the layers to keep in float
};

struct DiagnosedPair {
  Diagnosis diagnosis;
  /// By the target's names, in the folder of the tools: it can be the source of another diagnosis. No samples: its
  /// inputs could not be bound; no reference: it does not run, or nobody keeps what it gave.
  CompareSamples target;
  /// The faults of the diagnosis with what mends them, in its order. Those of feeding are not among them.
  std::vector<MendableFault> faults;
};

/// `samples`: packs by the source's names. Facts of the files, data, environment and command are left to the caller.
/// Errors: usage (--map), interrupted, io. All else is a status.
Result<Diagnosis> diagnose(const Side& source, const Side& target, const CompareSamples& samples,
                           const DiagnoseOptions& options, const CompareTools& tools);

/// The same, with what the target was fed and gave.
Result<DiagnosedPair> diagnose_and_keep(const Side& source, const Side& target, const CompareSamples& samples,
                                        DiagnoseOptions options, const CompareTools& tools);

}  // namespace culprit
