#include "check/check.h"

#include <chrono>
#include <system_error>

#include "base/text.h"
#include "check/baseline.h"
#include "check/deployment.h"
#include "check/faults.h"
#include "check/optimizer_repeat.h"
#include "check/records.h"
#include "check/repeat.h"
#include "check/study.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// Samples and outputs are large and of use to nobody afterwards.
class Leftovers {
 public:
  explicit Leftovers(fs::path folder) : folder_(std::move(folder)) {}
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;
  ~Leftovers() {
    std::error_code ignored;
    for (const char* name : {"samples", "reference", "outputs"}) fs::remove_all(folder_ / name, ignored);
  }

 private:
  fs::path folder_;
};

/// What it takes to check one model, step by step.
class ModelCheck {
 public:
  ModelCheck(const Model& model, const CheckOptions& options, const CheckTools& tools)
      : options_(options),
        tools_(tools),
        desk_(tools.executor),
        basis_{model, options, tools.folder, {}, {}, {}, {}, "", ""},
        deployment_(desk_, basis_),
        study_(desk_, basis_, deployment_, tools.progress),
        optimizer_repeat_(desk_, basis_, study_) {
    report_.model = model.facts;
  }

  Result<ModelReport> check(const std::vector<Proposal>& proposals) {
    auto plan = make_plan(options_, tools_.passes);
    if (!plan) return tl::unexpected(plan.error());
    if (tools_.progress) tools_.progress(0, plan->size() + 1, "the reference");
    if (auto ok = establish_baseline(proposals, desk_, basis_, report_); !ok) return tl::unexpected(ok.error());
    if (report_.baseline.status != BaselineStatus::ok) return std::move(report_);
    if (auto ok = make_and_run(std::move(*plan)); !ok) return tl::unexpected(ok.error());
    if (report_.baseline.status != BaselineStatus::ok) return std::move(report_);
    auto explanations = explain();
    if (!explanations) return tl::unexpected(explanations.error());
    write(*explanations);
    return std::move(report_);
  }

 private:
  /// What variants are judged by is found out while they are made; they run once all of it is there.
  Result<void> make_and_run(std::vector<PlannedVariant> plan) {
    missing_ = 2;  // the repeat, and the original at the deploy level
    run_repeat_control(desk_, basis_, [this](RepeatResult repeat) {
      if (!repeat.repeats) {
        report_.baseline.status = BaselineStatus::nondeterministic;
        report_.baseline.message = repeat.record.message;
      }
      report_.controls.push_back(std::move(repeat.record));
      one_less_missing();
    });
    deployment_.start([this] { one_less_missing(); });
    study_.start(std::move(plan), [this] { optimizer_repeat_.start(); });
    if (auto ok = desk_.drain(); !ok || report_.baseline.status != BaselineStatus::ok) return ok;
    optimizer_repeat_.confirm();
    return confirm();
  }

  void one_less_missing() {
    if (--missing_ == 0 && report_.baseline.status == BaselineStatus::ok) study_.open();
  }

  Result<void> confirm() {
    study_.confirm();
    return desk_.drain();
  }

  Result<void> add(std::vector<PlannedVariant> plan) {
    if (plan.empty()) return {};
    study_.add(std::move(plan));
    if (auto ok = desk_.drain(); !ok) return ok;
    return confirm();
  }

  /// A recipe of several passes failed: do single passes account for it?
  Result<std::vector<Explanation>> explain() {
    if (study_.import().failure.failed()) return std::vector<Explanation>();
    if (auto ok = try_passes_alone(); !ok) return tl::unexpected(ok.error());
    auto explanations = failing_recipes(study_);
    std::vector<PlannedVariant> rests;
    for (Explanation& explanation : explanations) {
      auto rest = rest_of(study_, explanation);
      if (rest.empty()) continue;
      explanation.rest = study_.attempts().size() + rests.size();
      rests.push_back(plan_for(std::move(rest), options_, tools_.passes));
      rests.back().reason = without_text(explanation);
    }
    if (auto ok = add(std::move(rests)); !ok) return tl::unexpected(ok.error());
    return explanations;
  }

  Result<void> try_passes_alone() {
    std::vector<PlannedVariant> alone;
    for (const Explanation& explanation : failing_recipes(study_)) {
      for (const std::string& pass : untried_alone(study_, explanation.recipe)) {
        alone.push_back(plan_for({pass}, options_, tools_.passes));
        alone.back().reason = "alone, because the recipe fails";
      }
    }
    return add(std::move(alone));
  }

  std::string without_text(const Explanation& explanation) const {
    std::vector<std::string> failing;
    for (const std::size_t i : explanation.failing) failing.push_back(study_.attempts()[i].plan.recipe.passes.front());
    const bool is_bundle = study_.attempts()[explanation.recipe].plan.is_bundle;
    return std::string(is_bundle ? "the bundle" : "the recipe") + " without " + join(failing, ", ");
  }

  void write(const std::vector<Explanation>& explanations) {
    report_.controls.push_back(round_trip_record(study_));
    if (auto record = optimizer_repeat_.record()) report_.controls.push_back(std::move(*record));
    if (deployment_.control()) report_.controls.push_back(*deployment_.control());
    for (const auto& warnings : {round_trip_warnings(study_), deployment_.warnings()})
      report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
    std::vector<std::string> ids;
    if (!study_.import().failure.failed()) {
      report_.variants = variant_records(study_, basis_);
      for (const VariantRecord& record : report_.variants) ids.push_back(record.id);
    }
    report_.faults = find_faults(study_, explanations, ids, basis_.samples.size());
    if (auto fault = optimizer_repeat_.fault(ids)) {
      fault->id = "F" + std::to_string(report_.faults.size() + 1);
      report_.faults.push_back(std::move(*fault));
    }
    if (study_.import().failure.failed() && report_.faults.empty()) {
      report_.warnings.push_back({"nothing_judged", round_trip_record(study_).message + "; try again"});
    }
  }

  const CheckOptions& options_;
  const CheckTools& tools_;
  ModelReport report_;
  Desk desk_;
  Basis basis_;
  Deployment deployment_;
  Study study_;
  OptimizerRepeat optimizer_repeat_;
  int missing_ = 0;  // of what variants are judged by
};

}  // namespace

Result<ModelReport> check_model(const Model& model, const std::vector<Proposal>& proposals, const CheckOptions& options,
                                const CheckTools& tools) {
  const auto start = std::chrono::steady_clock::now();
  const Leftovers leftovers(tools.folder);
  auto report = ModelCheck(model, options, tools).check(proposals);
  if (report) report->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace culprit
