#pragma once
// What the store of a campaign tells, for people and for other programs: its cases and the causes of their faults.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "campaign/case_order.h"
#include "campaign/case_predictions.h"
#include "campaign/judge_again.h"
#include "campaign/seen_faults.h"
#include "store/case_reader.h"

namespace culprit {

/// The file of the store in the folder of a campaign, and the folder beside it that holds what cases kept.
inline constexpr const char* campaign_store_name = "campaign.sqlite";
inline constexpr const char* campaign_cases_name = "cases";

/// One case, without its report.
struct CaseRecord {
  CaseEntry entry;
  CaseOrder order;
  std::string reason;               ///< of one that is not judged: why; else ""
  std::vector<std::size_t> faults;  ///< places in CampaignRecord::faults
};

/// What came of other tolerances.
struct AgainCounts {
  OtherTolerance tolerance;
  std::int64_t freed = 0;     ///< cases whose faults all lie within
  std::int64_t not_told = 0;  ///< cases of which only a run can tell
};

struct CampaignRecord {
  std::vector<CaseRecord> cases;          ///< that the filter lets pass; the greatest cost first, of equal cost by key
  std::vector<DistinctFault> faults;      ///< of these cases, those of most models first
  std::optional<AgainCounts> again = {};  ///< where they were judged again
  std::size_t models = 0;                 ///< of these cases
  std::size_t models_at_fault = 0;        ///< with a fault, known or not
  std::vector<CasePredictions> predictions = {};  ///< where they are asked for, in the order of the cases
  [[nodiscard]] std::int64_t cases_in(OutcomeStatus status) const;
  [[nodiscard]] std::int64_t cases_in(CaseState state) const;
};

/// Which cases are shown: those that all of these let pass.
struct RecordFilter {
  CaseFilter cases = {};
  std::string model = {};                        ///< a pattern (campaign/find_files.h); "": all
  std::string optimizer = {};                    ///< "": all; "default": those that name none
  std::optional<CampaignJob> job = {};           ///< absent: all
  std::optional<std::set<CaseKey>> keys = {};    ///< only these
  std::optional<OtherTolerance> tolerance = {};  ///< checks are judged again by it; statuses are those that come of it
  bool with_predictions = false;                 ///< every report is read for CampaignRecord::predictions
};

/// One report at a time is in memory. Errors: those of the store; bad_input for a case that is none of a campaign.
Result<CampaignRecord> read_record(const CaseReader& reader, const RecordFilter& filter = {});

/// Does each name of the filter stand for something in the whole campaign? ErrorKind::usage where it is in no case,
/// with what there is. Errors: those of read_record.
Result<void> expect_named(const CaseReader& reader, const RecordFilter& filter);

}  // namespace culprit
