#pragma once
// What `culprit repair` did to the target of a conversion: plain structs, one field here is one field of its JSON,
// schema culprit.repair/1 (docs/repair.schema.json).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/diagnosis.h"

namespace culprit {

enum class RepairStatus {
  clean,         ///< nothing is wrong with the target: the file is the same bytes; exit code 0
  mended,        ///< it was wrong, and the file is right; 0
  fed_right,     ///< the target is right where it is fed otherwise, and that is written down; 0
  not_mended,    ///< it is as it was, and no file was written; 1
  cannot_judge,  ///< likewise, for nobody can tell what is right; 3
};
std::string_view name_of(RepairStatus status);
int exit_code_of(RepairStatus status);

/// What was changed at once. The faults are those that were confirmed, with the proof of each by itself.
struct RepairRound {
  std::vector<ConversionFault> faults;
  double error_before = 0;  ///< the largest difference of an output from the source's
  double error_after = 0;
  bool is_made = false;  ///< a file was written with these edits, and read
  std::string why_not;   ///< "" where it was
};

/// The file as it was run again.
struct RepairCheck {
  std::string level;  ///< of the runtime: "off", "all"
  DiagnosisStatus status = DiagnosisStatus::cannot_judge;
  std::string message;       ///< "" where it is right
  double error = 0;          ///< the largest difference of an output
  std::int64_t samples = 0;  ///< that were judged
};

struct TargetRepair {
  std::string tool_version;
  std::vector<std::string> command;
  Environment environment;
  RepairStatus status = RepairStatus::cannot_judge;
  std::string message;
  Diagnosis before;  ///< of the target as it came
  std::vector<RepairRound> rounds;
  std::optional<Diagnosis> after;   ///< of the last file that was tried
  std::vector<RepairCheck> checks;  ///< of the file that was written
  std::string out;                  ///< "" where nothing was written
  std::string out_sha256;
  std::string feeding;  ///< the file that says how to feed it; ""
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< of this process
};

}  // namespace culprit
