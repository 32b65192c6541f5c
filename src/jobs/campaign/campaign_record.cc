#include "campaign/campaign_record.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_fields.h"
#include "base/text.h"
#include "campaign/find_files.h"

namespace culprit {
namespace {

using RecordJson = nlohmann::ordered_json;

std::string first_warning_in(const RecordJson& json) {
  const RecordJson& warnings = list_in(json, "warnings");
  return warnings.empty() ? "" : text_in(warnings.front(), "message");
}

/// Why nobody could judge it: the first of what its report says.
std::string reason_in(std::string_view report) {
  const RecordJson json = RecordJson::parse(report, nullptr, false);
  if (const std::string error = text_in(json, "error"); !error.empty()) {
    const std::string words = text_in(json, "last_words");
    return words.empty() ? error : error + ": " + words;
  }
  const RecordJson& models = list_in(json, "models");
  if (models.empty()) {  // a diagnosis has none
    std::string message = text_in(json, "message");
    return message.empty() ? first_warning_in(json) : message;
  }
  const RecordJson& model = models.front();
  if (std::string error = text_in(model, "error"); !error.empty()) return error;
  if (std::string message = text_in(object_in(model, "baseline"), "message"); !message.empty()) return message;
  return first_warning_in(model);
}

bool has_model(const CaseOrder& order, const RecordFilter& filter) {
  return filter.model.empty() || order.model == filter.model || matches(order.model, filter.model);
}

std::string optimizer_of(const CaseOrder& order) { return order.optimizer.empty() ? "default" : order.optimizer; }

bool has_optimizer(const CaseOrder& order, const RecordFilter& filter) {
  return filter.optimizer.empty() || optimizer_of(order) == filter.optimizer;
}

bool is_shown(const CaseOrder& order, const RecordFilter& filter) {
  if (filter.job && order.job != *filter.job) return false;
  return has_optimizer(order, filter) && has_model(order, filter);
}

tl::unexpected<Error> nobody_has(const char* flag, const std::string& asked, const std::set<std::string>& there) {
  constexpr std::size_t most = 5;
  std::vector<std::string> shown;
  for (const std::string& one : there)
    if (shown.size() < most) shown.push_back(printable(one, 200));
  const std::size_t left = there.size() - shown.size();
  return fail(ErrorKind::usage, std::string(flag) + ": no case of this campaign has '" + printable(asked, 200) + "'",
              there.empty()
                  ? "it has no cases"
                  : "there are " + join(shown, ", ") + (left > 0 ? " and " + std::to_string(left) + " more" : ""));
}

bool is_judged(const CaseEntry& entry) {
  return entry.status && *entry.status != OutcomeStatus::inconclusive && *entry.status != OutcomeStatus::failed;
}

class RecordReader {
 public:
  RecordReader(const CaseReader& reader, const RecordFilter& filter) : reader_(reader), filter_(filter) {}

  Result<CampaignRecord> read() {
    CaseFilter cases = filter_.cases;
    if (filter_.tolerance) {
      record_.again = AgainCounts{*filter_.tolerance};
      cases.statuses.clear();  // those that come of it are others
    }
    const auto seen = reader_.for_each(cases, [&](const CaseEntry& entry) {
      const auto added = add(entry);
      if (!added) wrong_ = added.error();
      return wrong_ ? Looking::enough : Looking::on;
    });
    if (!seen) return tl::unexpected(seen.error());
    if (wrong_) return tl::unexpected(*wrong_);
    record_.faults = faults_.list();
    name_faults();
    return std::move(record_);
  }

 private:
  Result<void> add(const CaseEntry& entry) {
    if (filter_.keys && filter_.keys->count(entry.planned.key) == 0) return {};
    auto order = order_of(entry.planned.description);
    if (!order) return tl::unexpected(order.error());
    if (!is_shown(*order, filter_)) return {};
    CaseRecord shown{entry, *order, "", {}};
    std::vector<SeenFault> faults;
    if (entry.state == CaseState::set_aside)
      shown.reason = "its process was killed " + counted(entry.lost_attempts, "time") + ", so it is not tried any more";
    const bool again = filter_.tolerance && order->job == CampaignJob::check && is_judged(entry);
    if (entry.state == CaseState::finished &&
        (again || filter_.with_predictions || entry.status != OutcomeStatus::ok)) {  // what is right has no faults
      const auto stored = reader_.outcome_of(entry.planned.key);
      if (!stored) return tl::unexpected(stored.error());
      if (*stored && !is_judged(entry)) shown.reason = reason_in((*stored)->outcome.report);
      if (*stored) faults = faults_in(*order, (*stored)->outcome.report);
      if (*stored && filter_.with_predictions)
        std::ranges::move(predictions_in(*order, (*stored)->outcome.report), std::back_inserter(record_.predictions));
      if (*stored && again) judge_by_tolerance((*stored)->outcome.report, shown, faults);
    }
    if (filter_.tolerance && !passes(shown.entry)) return {};
    faults_.add(entry.planned.key, *order, faults);
    record_.cases.push_back(std::move(shown));
    seen_.push_back(std::move(faults));
    return {};
  }

  void judge_by_tolerance(const std::string& report, CaseRecord& shown, std::vector<SeenFault>& faults) {
    const JudgedAgain again =
        judge_again(report, *shown.entry.status, *filter_.tolerance, strictness_of(shown.order.flags));
    std::erase_if(faults, [&](const SeenFault& fault) { return again.gone.contains(fault.id); });
    if (again.status == OutcomeStatus::ok && shown.entry.status != OutcomeStatus::ok) ++record_.again->freed;
    if (!again.reason.empty()) ++record_.again->not_told;
    shown.entry.status = again.status;
    shown.reason = again.reason;
  }

  [[nodiscard]] bool passes(const CaseEntry& entry) const {
    const auto& statuses = filter_.cases.statuses;
    return statuses.empty() || (entry.status && statuses.contains(*entry.status));
  }

  /// Which causes each case shows, now that all are known.
  void name_faults() {
    std::set<std::string> models, at_fault;
    for (std::size_t i = 0; i < record_.cases.size(); ++i) {
      CaseRecord& shown = record_.cases[i];
      models.insert(shown.order.model);
      if (!seen_[i].empty()) at_fault.insert(shown.order.model);
      for (const SeenFault& seen : seen_[i]) {
        const auto at = std::ranges::find_if(
            record_.faults, [&](const DistinctFault& fault) { return is_same(fault.first.key, seen.key); });
        const auto place = static_cast<std::size_t>(at - record_.faults.begin());
        if (std::ranges::find(shown.faults, place) == shown.faults.end()) shown.faults.push_back(place);
      }
    }
    record_.models = models.size();
    record_.models_at_fault = at_fault.size();
  }

  const CaseReader& reader_;
  const RecordFilter& filter_;
  CampaignRecord record_;
  DistinctFaults faults_;
  std::vector<std::vector<SeenFault>> seen_;  // by case
  std::optional<Error> wrong_;
};

}  // namespace

std::int64_t CampaignRecord::cases_in(OutcomeStatus status) const {
  return std::ranges::count_if(cases, [&](const CaseRecord& shown) { return shown.entry.status == status; });
}

std::int64_t CampaignRecord::cases_in(CaseState state) const {
  return std::ranges::count_if(cases, [&](const CaseRecord& shown) { return shown.entry.state == state; });
}

Result<CampaignRecord> read_record(const CaseReader& reader, const RecordFilter& filter) {
  return RecordReader(reader, filter).read();
}

Result<void> expect_named(const CaseReader& reader, const RecordFilter& filter) {
  std::set<std::string> models, optimizers, jobs;
  // What nobody asks for is there also while no case is planned yet.
  bool model_is_there = filter.model.empty(), optimizer_is_there = filter.optimizer.empty(), job_is_there = !filter.job;
  std::optional<Error> wrong;
  auto seen = reader.for_each({}, [&](const CaseEntry& entry) {
    const auto order = order_of(entry.planned.description);
    if (!order) wrong = order.error();
    if (!order) return Looking::enough;
    models.insert(order->model);
    optimizers.insert(optimizer_of(*order));
    jobs.insert(std::string(name_of(order->job)));
    model_is_there = model_is_there || has_model(*order, filter);
    optimizer_is_there = optimizer_is_there || has_optimizer(*order, filter);
    job_is_there = job_is_there || order->job == filter.job;
    return Looking::on;
  });
  if (!seen) return seen;
  if (wrong) return tl::unexpected(*wrong);
  if (!model_is_there) return nobody_has("--model", filter.model, models);
  if (!optimizer_is_there) return nobody_has("--optimizer", filter.optimizer, optimizers);
  if (!job_is_there) return nobody_has("--job", std::string(name_of(*filter.job)), jobs);
  return {};
}

}  // namespace culprit
