#pragma once
// Which faults the cases of a campaign have, each cause counted once over all models.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "campaign/case_order.h"
#include "repro/known_faults.h"
#include "store/case_key.h"

namespace culprit {

/// A fault as the report of one case tells it.
struct SeenFault {
  std::string id;  ///< in the report: "F1"
  FaultKey key;
  std::string message;   ///< one line
  std::string place;     ///< the value of the model where it begins: "conv1_out"; "" where that is not known
  std::string repro;     ///< its folder, from the folder of the case; "" where none was kept
  std::string known_id;  ///< "" for a new one
  std::string note;      ///< of whoever recorded it
};

/// All faults in the report of a case. A fault of another job than `check` is told apart by its words. Empty for a
/// report that is none of ours.
std::vector<SeenFault> faults_in(const CaseOrder& order, std::string_view report);

/// One cause, with the cases that showed it.
struct DistinctFault {
  SeenFault first;  ///< of the case that was seen first
  CaseKey first_case;
  CaseOrder first_order;
  std::set<std::string> models;
  std::set<std::string> optimizers;
  std::int64_t cases = 0;
};

/// Puts faults with one cause together. The order in which cases are added decides only which is `first`.
class DistinctFaults {
 public:
  void add(const CaseKey& key, const CaseOrder& order, const std::vector<SeenFault>& faults);
  /// All causes, those of most models first.
  [[nodiscard]] std::vector<DistinctFault> list() const;

 private:
  std::vector<DistinctFault> faults_;
};

}  // namespace culprit
