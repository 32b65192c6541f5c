#include "check/check.h"

#include <algorithm>
#include <set>

#include "base/stopwatch.h"
#include "baseline/baseline.h"
#include "baseline/directed/directed_samples.h"
#include "baseline/unrepeatable_node.h"
#include "check/decisions/data_set_decisions.h"
#include "check/explain/explain_recipe.h"
#include "check/explain/localize_rewrites.h"
#include "check/external/look_inside.h"
#include "check/leftovers.h"
#include "check/results/delivered_file.h"
#include "check/results/faults.h"
#include "check/results/find_fault_case.h"
#include "check/results/lost_draws.h"
#include "check/results/safe_recipe_record.h"
#include "check/results/variant_records.h"
#include "check/variants/confirmed_variants.h"
#include "check/variants/controlled_runs.h"
#include "check/variants/inner_values_of_weak_data.h"
#include "check/variants/made_variants.h"
#include "check/variants/optimizer_repeat_control.h"
#include "check/witnesses/ask_witnesses.h"
#include "trial/judging.h"
#include "trial/rounding_records.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// What it takes to check one model, step by step.
class ModelCheck {
 public:
  ModelCheck(const Model& model, const CheckOptions& options, const CheckTools& tools)
      : model_(model),
        options_(options),
        tools_(tools),
        dispatcher_(tools.executor),
        made_({dispatcher_, model, options, tools.optimizer, tools.folder, tools.progress}),
        judging_(made_, report_),
        optimizer_repeat_(dispatcher_, model, options, made_) {
    report_.model = model.facts;
    report_.step_word = tools.optimizer.step_word;
    dispatcher_.limit(tools.is_time_up, tools.is_interrupted);
  }

  Result<ModelReport> check(const std::vector<Proposal>& proposals) {
    auto plan = make_plan(options_, tools_.optimizer);
    if (!plan) return tl::unexpected(plan.error());
    if (plan->empty())
      report_.warnings.push_back(
          {"no_steps", tools_.optimizer.name + " names no step for this model, so it was not run"});
    begin_phase(tools_.clock, Phase::reference);
    if (tools_.progress) tools_.progress(0, plan->size() + 1, "the reference");
    const Progress searching = [&](std::size_t, std::size_t, const std::string& what) {
      if (tools_.progress) tools_.progress(0, plan->size() + 1, what);
    };
    auto reference = establish_baseline(proposals, dispatcher_, model_, options_, tools_.folder, report_, searching);
    if (!reference) return tl::unexpected(reference.error());
    if (const PlannedVariant* users = recipe_of_users(*plan, options_)) recipe_ = users->recipe;
    if (!can_go_on()) return unjudged(who_runs_it(dispatcher_, tools_.witnesses, *reference));
    decided_ = recipe_;
    if (!recipe_ && plan->size() == 1) decided_ = plan->front().recipe;
    if (tools_.data_set != nullptr && decided_ && !is_weak())
      decisions_ = std::make_unique<DataSetDecisions>(dispatcher_, options_, tools_, report_);
    begin_phase(tools_.clock, Phase::variants);
    if (auto ok = make_and_judge(std::move(*plan), *reference); !ok) return tl::unexpected(ok.error());
    if (!can_go_on()) return unjudged(first_unrepeatable_node(dispatcher_, *reference));
    begin_phase(tools_.clock, Phase::inside);
    if (auto ok = look_into_variants(); !ok) return tl::unexpected(ok.error());
    begin_phase(tools_.clock, Phase::explaining);
    if (auto ok = explain(); !ok) return tl::unexpected(ok.error());
    write();
    if (auto ok = hear_witnesses(); !ok && ok.error().kind != ErrorKind::interrupted) return tl::unexpected(ok.error());
    if (auto ok = localize(); !ok && ok.error().kind != ErrorKind::interrupted) return tl::unexpected(ok.error());
    if (!is_interrupted()) keep_faults();
    if (is_interrupted()) tell_of_interruption();
    return std::move(report_);
  }

  /// After `check`, with its report.
  Result<Delivery> deliver(ModelReport report, const Deliver& to_users) {
    Delivery delivery;
    begin_phase(tools_.clock, Phase::delivering);
    if (decisions_) delivery.against_safe = decisions_->against_safe();
    if (explanation_ && explanation_->safe && report.safe_recipe && report.safe_recipe->verified) {
      const Variant& safe = made_.all()[*explanation_->safe];
      if (runs_in_session(safe.plan.recipe) && safe.outcome.file.empty()) return without_file(std::move(report), safe);
      auto file = to_users(report, safe.same_as == SameAs::none ? safe.outcome.file : fs::path());
      if (!file) return tl::unexpected(file.error());
      delivery.is_delivered = !file->empty();
      if (delivery.is_delivered) {
        const DeliveredFile delivered{*variants_, by().reference, *explanation_->safe, *report.safe_recipe};
        if (auto ok = delivered.verify(*file, delivery); !ok) return tl::unexpected(ok.error());
      }
    }
    delivery.report = std::move(report);
    return delivery;
  }

  /// The same for a variant that was chosen, though no search has called it safe.
  Result<Delivery> deliver(ModelReport report, const ChooseVariant& choose, const Deliver& to_users) {
    Delivery delivery;
    begin_phase(tools_.clock, Phase::delivering);
    const auto chosen = variants_ && report.error.empty() ? choose(report) : std::nullopt;
    if (chosen) {
      const Variant& variant = made_.all().at(*chosen);
      auto file = to_users(report, variant.same_as == SameAs::none ? variant.outcome.file : fs::path());
      if (!file) return tl::unexpected(file.error());
      delivery.is_delivered = !file->empty();
      if (delivery.is_delivered) {
        const SafeRecipe claimed = right_everywhere(variant, *variants_, by().reference);
        if (auto ok = DeliveredFile{*variants_, by().reference, *chosen, claimed}.verify(*file, delivery); !ok)
          return tl::unexpected(ok.error());
      }
    }
    delivery.report = std::move(report);
    return delivery;
  }

  /// What all of it cost.
  void tell_usage(ModelReport& report) const {
    report.skipped = dispatcher_.skipped();
    report.memory = dispatcher_.usage().memory;
    report.spent = dispatcher_.usage().spent;
    if (tools_.clock != nullptr) report.phases = tools_.clock->phases();
  }

 private:
  /// `more`: to be said of why.
  Result<ModelReport> unjudged(const Result<std::string>& more) {
    if (!more) return tl::unexpected(more.error());
    report_.baseline.message += *more;
    warn_of_lost_draws(made_, model_, report_.warnings);
    if (recipe_) report_.safe_recipe = unverified_recipe(*recipe_, report_);
    return std::move(report_);
  }

  /// Weak data hide wrong values only: what crashes, is refused or does not load is found all the same.
  [[nodiscard]] bool is_weak() const { return report_.baseline.status == BaselineStatus::weak_data; }
  [[nodiscard]] bool can_go_on() const { return report_.baseline.status == BaselineStatus::ok || is_weak(); }

  /// While variants are made, what they are judged by is found out: the samples, then the repeat and the original at
  /// the deploy level. They run once it is there. Draws are made when something differs.
  Result<void> make_and_judge(std::vector<PlannedVariant> plan, const Reference& reference) {
    const auto made = [this] { optimizer_repeat_.start(); };
    if (decisions_) {
      made_.make(std::move(plan), made);
      if (auto ok = look_at_data_set(reference); !ok) return ok;
    } else if (!is_weak() && options_.directed && Directed::possible(reference, report_.data)) {
      made_.make(std::move(plan), made, judging_.start_directed(reference));
    } else {
      judging_.start(reference);
      made_.make(std::move(plan), made);
    }
    if (auto ok = dispatcher_.drain(); !ok) return ok;
    if (!judging_.machine() || !can_go_on()) return judging_.machine();
    if (auto ok = try_suspects_alone(); !ok) return ok;
    begin_phase(tools_.clock, Phase::confirming);
    optimizer_repeat_.confirm();
    return confirm();
  }

  /// On all of the data set, with what users run; its telling samples are among those that variants are judged on.
  Result<void> look_at_data_set(const Reference& reference) {
    if (auto ok = dispatcher_.drain(); !ok) return ok;
    auto extended = decisions_->begin(made_, *decided_, reference);
    if (!extended) return tl::unexpected(extended.error());
    std::optional<std::size_t> needed;
    if (extended->decisive.task != nullptr && !decisions_->found().empty()) needed = decisions_->found().begin()->first;
    judging_.start(std::move(*extended), needed);
    return {};
  }

  /// Steps of a runtime are known to touch the model only when it says so, after its level has run.
  Result<void> try_suspects_alone() {
    for (const Variant& variant : made_.all()) {
      if (!variant.plan.is_bundle) continue;
      made_.add(steps_alone(suspects_of(tools_.optimizer, variant.outcome.touched), options_, tools_.optimizer));
      return dispatcher_.drain();
    }
    return {};
  }

  Result<void> confirm() {
    auto confirmed = ConfirmedVariants::of(*judging_.runs());
    if (!confirmed) return tl::unexpected(confirmed.error());
    variants_ = std::move(*confirmed);
    if (report_.baseline.weak.empty()) return {};
    std::set<std::string> weak;  // parts of a sequence or map are no values of the graph
    for (const WeakOutput& output : report_.baseline.weak) weak.insert(output.output);
    inner_ = std::make_unique<InnerValuesOfWeakData>(dispatcher_, by().reference, std::move(weak));
    return inner_->examine(*variants_);
  }

  Result<void> look_into_variants() {
    if (!tools_.look_inside || is_weak()) return {};
    return look_inside(tools_.look_inside, *variants_, by().reference, report_.warnings);
  }

  /// What users run: is it right, and if not, why and what is left of it?
  Result<void> explain() {
    if (made_.import().failure.failed() || !recipe_) return {};
    auto explanation = RecipeSearch(*variants_, dispatcher_, options_, tools_.optimizer).explain(*recipe_);
    if (!explanation) return tl::unexpected(explanation.error());
    explanation_ = std::move(*explanation);
    if (auto ok = verify_decisions(); !ok) return ok;
    return explain_lower_levels();
  }

  /// The safe recipe, too, runs on all of the data set.
  Result<void> verify_decisions() {
    if (!decisions_ || !explanation_->safe) return {};
    auto against = decisions_->verify(made_, *explanation_->safe, by().reference);
    if (!against) return tl::unexpected(against.error());
    against_safe_ = std::move(*against);
    return {};
  }

  /// A step can do harm at a level of the runtime below the users' one that another step hides there.
  Result<void> explain_lower_levels() {
    const std::size_t planned = made_.all().size();
    for (std::size_t i = 0; i < planned; ++i) {
      const Variant& variant = made_.all()[i];
      const Recipe recipe = variant.plan.recipe;
      const bool is_lower = is_whole_level(recipe) && recipe.level != tools_.optimizer.level;
      if (!is_lower || !blames_passes(*variants_, variant) || dispatcher_.spent()) continue;
      OptimizerTraits at_level = tools_.optimizer;
      at_level.level = recipe.level;
      auto explanation = RecipeSearch(*variants_, dispatcher_, options_, at_level).explain(recipe);
      if (!explanation) return tl::unexpected(explanation.error());
      lower_.push_back(std::move(*explanation));
    }
    return {};
  }

  void write() {
    report_.controls.push_back(round_trip_record(*variants_));
    if (auto record = optimizer_repeat_.record()) report_.controls.push_back(std::move(*record));
    if (by().deploy_level.control()) report_.controls.push_back(*by().deploy_level.control());
    if (inner_ && inner_->capture_control()) report_.controls.push_back(*inner_->capture_control());
    report_.noise_floor = noise_floors(by().judge.known());
    // Of a runtime these are its faults, which are told as such.
    const auto of_runtime = tools_.optimizer.is_runtime() ? std::vector<Warning>() : by().deploy_level.warnings();
    for (const auto& warnings :
         {hidden_by_rounding(by().reference, by().judge.known()), round_trip_warnings(*variants_), of_runtime})
      report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
    if (!made_.import().failure.failed())
      report_.variants = variant_records(*variants_, by().reference, !options_.orders.empty());
    const std::vector<std::string> ids = variant_ids(*variants_);
    add_decisions(ids);
    std::vector<Explanation> explanations = lower_;
    if (explanation_) explanations.insert(explanations.begin(), *explanation_);
    report_.faults = find_faults(*variants_, explanations, ids, is_weak() ? 0 : by().reference.samples.size());
    if (auto fault = optimizer_repeat_.fault(ids)) {
      fault->id = "F" + std::to_string(report_.faults.size() + 1);
      report_.faults.push_back(std::move(*fault));
    }
    if (explanation_ && report_.baseline.status == BaselineStatus::ok) {
      report_.safe_recipe =
          safe_recipe_record(*variants_, *explanation_, report_.faults, ids, by().reference, options_);
      if (!against_safe_.empty()) {
        report_.safe_recipe->verified = false;
        report_.safe_recipe->message = "on the whole data set " + against_safe_;
      }
    } else if (recipe_) {
      report_.safe_recipe = unverified_recipe(*recipe_, report_);
    }
    if (made_.import().failure.failed() && report_.faults.empty())
      report_.warnings.push_back({"nothing_judged", round_trip_record(*variants_).message + "; try again"});
  }

  /// Do others give the same for the model itself? What is safe by a reference that may be wrong is not verified.
  Result<void> hear_witnesses() {
    if (tools_.witnesses.empty() || dispatcher_.must_skip("the witnesses on the model itself")) return {};
    begin_phase(tools_.clock, Phase::witnesses);
    auto heard = ask_witnesses(dispatcher_, by(), tools_.witnesses, options_.trusts_runtime);
    if (!heard) return tl::unexpected(heard.error());
    report_.witnesses = std::move(heard->record);
    report_.warnings.insert(report_.warnings.end(), heard->warnings.begin(), heard->warnings.end());
    if (!report_.witnesses->differ() || options_.trusts_runtime || !report_.safe_recipe) return {};
    report_.safe_recipe->verified = false;
    report_.safe_recipe->message = open_question(report_) + "; see the warning runtimes_differ";
    return {};
  }

  void add_decisions(const std::vector<std::string>& ids) {
    if (!decisions_) return;
    for (const auto& [number, found] : decisions_->found())
      for (VariantRecord& record : report_.variants)
        if (record.id == ids[number]) record.decisions = found;
  }

  /// Last, because what it makes is in no report.
  Result<void> localize() {
    if (!options_.localize || made_.import().failure.failed()) return {};
    begin_phase(tools_.clock, Phase::rewrites);
    return RewriteLocalization(*variants_, dispatcher_, by().reference)
        .explain(report_.faults, variant_ids(*variants_));
  }

  [[nodiscard]] Judging& by() const { return variants_->by(); }
  [[nodiscard]] bool is_interrupted() const { return is_stopped(tools_.is_interrupted); }

  /// The verdicts stand by then: what is missing is what explains them.
  void tell_of_interruption() {
    if (report_.faults.empty()) return;
    report_.warnings.push_back({"interrupted",
                                "stopped while the faults were looked into: their rewrites, opinions, first wrong "
                                "values, smaller models or repros may be missing"});
  }

  void keep_faults() {
    const std::vector<std::string> ids = variant_ids(*variants_);
    for (FaultRecord& fault : report_.faults) {
      const auto shown = tools_.keep_fault ? case_of(fault, *variants_, ids, by(), options_) : std::nullopt;
      if (!shown) continue;
      auto kept = tools_.keep_fault(*shown);
      if (!kept) report_.warnings.push_back({"repro_not_kept", fault.id + ": " + kept.error().text()});
      if (!kept) continue;
      fault.repro = std::move(kept->repro);
      fault.reduced = std::move(kept->reduced);
      fault.reduced_fingerprint = std::move(kept->reduced_fingerprint);
      fault.attribution = kept->attribution.value_or(fault.attribution);
      fault.attribution_evidence = std::move(kept->evidence);
      fault.first_divergence = std::move(kept->first_divergence);
      fault.first_divergence_message = std::move(kept->first_divergence_message);
    }
  }

  const Model& model_;
  const CheckOptions& options_;
  const CheckTools& tools_;
  ModelReport report_;
  Dispatcher dispatcher_;
  MadeVariants made_;
  ControlledRuns judging_;
  OptimizerRepeat optimizer_repeat_;
  std::unique_ptr<ConfirmedVariants> variants_;   // absent until all is judged and confirmed
  std::unique_ptr<InnerValuesOfWeakData> inner_;  // absent where the data say something
  std::optional<Recipe> recipe_;                  // that users run
  std::optional<Recipe> decided_;                 // that runs on a whole data set: this, or the only one there is
  std::optional<Explanation> explanation_;        // of what users run
  std::unique_ptr<DataSetDecisions> decisions_;   // absent where there is no data set
  std::string against_safe_;                      // what the safe recipe does on it that it should not; ""
  std::vector<Explanation> lower_;                // of levels of a runtime below that
};

}  // namespace

Result<ModelReport> check_model(const Model& model, const std::vector<Proposal>& proposals, const CheckOptions& options,
                                const CheckTools& tools) {
  const Deliver nothing = [](const ModelReport&, const fs::path&) { return Result<fs::path>(fs::path()); };
  return check_and_deliver(model, proposals, options, tools, nothing).map([](Delivery&& delivery) {
    return std::move(delivery.report);
  });
}

namespace {

/// A check, and what `then` delivers of it.
template <class Then>
Result<Delivery> check_and(const Model& model, const std::vector<Proposal>& proposals, const CheckOptions& options,
                           const CheckTools& tools, const Then& then) {
  const Stopwatch watch;
  const Leftovers leftovers(tools.folder);
  ModelCheck check(model, options, tools);
  auto report = check.check(proposals);
  if (!report) return tl::unexpected(report.error());
  Result<Delivery> delivery = then(check, std::move(*report));
  if (!delivery) return delivery;
  check.tell_usage(delivery->report);
  delivery->report.seconds = watch.seconds();
  return delivery;
}

}  // namespace

Result<Delivery> check_and_deliver(const Model& model, const std::vector<Proposal>& proposals,
                                   const CheckOptions& options, const CheckTools& tools, const Deliver& deliver) {
  return check_and(model, proposals, options, tools,
                   [&](ModelCheck& check, ModelReport&& report) { return check.deliver(std::move(report), deliver); });
}

Result<Delivery> check_and_deliver_chosen(const Model& model, const std::vector<Proposal>& proposals,
                                          const CheckOptions& options, const CheckTools& tools,
                                          const ChooseVariant& choose, const Deliver& deliver) {
  return check_and(model, proposals, options, tools, [&](ModelCheck& check, ModelReport&& report) {
    return check.deliver(std::move(report), choose, deliver);
  });
}

}  // namespace culprit
