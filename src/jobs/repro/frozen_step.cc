#include "repro/frozen_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "check/check.h"
#include "check/external/external_variant.h"
#include "executor/dispatcher.h"
#include "executor/fed_at_steps.h"
#include "executor/run_and_wait.h"
#include "judge/tolerance.h"
#include "tensor/pack_file.h"
#include "tensor/steps.h"
#include "tensor/token_loop.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

using StepNumbers = std::vector<std::int64_t>;

constexpr std::size_t most_steps_tried = 6;
constexpr const char* shown_otherwise = "the command under `see more with` shows it again";

/// The last step that was run: after the end of a text none is.
Result<std::int64_t> last_step(std::span<const NamedTensor> sample, std::span<const NamedTensor> right) {
  const auto loop = loop_of(sample);
  if (!loop) return step_count(sample).map([](std::int64_t steps) { return steps - 1; });
  const Tensor* tokens = find_value(right, "tokens");
  if (tokens == nullptr || tokens->dtype() != DType::i64) return loop->steps - 1;
  const auto said = tokens->as<std::int64_t>();
  const auto is_end = [&](std::int64_t token) { return token < 0 || token == loop->end; };
  return std::min<std::int64_t>(std::ranges::find_if(said, is_end) - said.begin(), loop->steps - 1);
}

/// The first step at which an output of all steps differs beyond the tolerance.
std::optional<std::int64_t> first_wrong_step(const Tensor& right, const Tensor& found, std::int64_t steps,
                                             const Tolerance& tolerance) {
  if (right.shape().empty() || right.shape().front() != steps || found.shape() != right.shape()) return std::nullopt;
  const Bounds bounds = bounds_for(right, tolerance);  // as of the whole output: a silent step is no scale of its own
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto a = value_at_step(right, step), b = value_at_step(found, step);
    if (a && b && verdict_of(measure(*a, *b, {bounds.atol, bounds.rtol})) == Verdict::diverged) return step;
  }
  return std::nullopt;
}

StepNumbers first_wrong_steps(std::span<const NamedTensor> sample, std::span<const NamedTensor> right,
                              std::span<const NamedTensor> found, std::int64_t steps, const Tolerance& tolerance) {
  StepNumbers wrong;
  for (std::size_t i = 0; i < std::min(right.size(), found.size()); ++i) {
    if (is_fed_back(sample, right[i].name)) continue;
    if (const auto step = first_wrong_step(right[i].value, found[i].value, steps, tolerance)) wrong.push_back(*step);
  }
  std::ranges::sort(wrong);
  return wrong;
}

class Freezing {
 public:
  Freezing(const FaultCase& shown, const FreezingTools& tools)
      : shown_(shown), tools_(tools), dispatcher_(tools.executor) {}

  Result<KeptFault> run(const KeepFault& keep) {
    if (is_stopped(tools_.is_time_up)) return none("the time was up before one step was tried");
    if (auto ok = make_folder(tools_.folder); !ok) return tl::unexpected(ok.error());
    const auto sample = read_pack(shown_.inputs), right = read_pack(shown_.expected);
    if (!sample || !right) return tl::unexpected(sample ? right.error() : sample.error());
    const auto found = outputs_of_variant();
    if (!found) return tl::unexpected(found.error());
    const auto steps = steps_to_try(*sample, *right, *found, shown_.options.tolerance);
    if (!steps) return tl::unexpected(steps.error());
    auto frozen = frozen_steps(*sample, *steps);
    if (!frozen) return tl::unexpected(frozen.error());
    return keep_of(std::move(*frozen), *steps, keep);
  }

 private:
  static tl::unexpected<Error> none(const std::string& why) {
    return fail(ErrorKind::unsupported, "the sample runs in steps, and " + why, shown_otherwise);
  }

  /// What the variant makes of all steps, as the original has it; empty where it gives nothing.
  Result<std::vector<NamedTensor>> outputs_of_variant() {
    std::vector<NamedTensor> nothing;
    if (!has_values(shown_)) return nothing;
    const auto model = load_model(shown_.variant);
    if (!model || !bind(shown_.model.interface, model->interface, shown_.contract)) return nothing;
    const auto inputs = read_pack(shown_.inputs);
    const Reference reference{.model = shown_.model,
                              .options = shown_.options,
                              .folder = tools_.folder,
                              .session = shown_.session,
                              .samples = {shown_.inputs},
                              .fed = fed_names(inputs.value_or(nothing)),
                              .outputs = {shown_.expected}};
    const RunnablePtr variant = runnable(shown_.variant, model->interface, shown_.contract, reference);
    const auto ran = run_and_wait(dispatcher_, job_for(*variant, reference, tools_.folder / "variant"));
    if (!ran) return tl::unexpected(ran.error());
    if (ran->failure.failed() || ran->outputs.size() != 1) return nothing;
    auto outputs = read_pack_in_order(ran->outputs.front(), variant->binding.outputs);
    return outputs ? std::move(*outputs) : nothing;
  }

  /// What the original is fed with at each of these steps.
  Result<std::vector<Sample>> frozen_steps(const std::vector<NamedTensor>& sample, const StepNumbers& steps) {
    RunJob job;
    job.model = shown_.model.path;
    job.session = shown_.session;
    job.session.level = level_named(shown_.reference_level).value_or(Level::off);
    job.limits = shown_.options.limits;
    job.folder = tools_.folder / "fed";
    const auto fed = fed_at_steps(dispatcher_, std::move(job), sample, steps);
    if (!fed && fed.error().kind == ErrorKind::bad_input) return none(fed.error().message);
    if (!fed) return tl::unexpected(fed.error());
    std::vector<Sample> frozen;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      auto inputs = read_pack((*fed)[i]);
      if (!inputs) return tl::unexpected(inputs.error());
      frozen.push_back({fmt::format("step {}", steps[i]), std::move(*inputs)});
    }
    return frozen;
  }

  Result<KeptFault> keep_of(std::vector<Sample> frozen, const StepNumbers& steps, const KeepFault& keep) {
    const CheckOptions options = own_options();
    Proposal proposal;
    proposal.facts.source = DataSource::file;
    proposal.samples = std::move(frozen);
    OptimizerTraits optimizer = tools_.optimizer;
    optimizer.level = shown_.recipe.level;
    CheckTools tools{tools_.executor, optimizer, tools_.folder / "check", {}};
    if (auto ok = make_folder(tools.folder); !ok) return tl::unexpected(ok.error());
    std::optional<Result<KeptFault>> kept;
    tools.keep_fault = [&](const FaultCase& found) {
      if (!kept && is_the_fault(found)) kept = keep_as_shown(found, keep);
      return KeptFault{};
    };
    const auto report =
        is_given() ? check_given({proposal}, options, tools) : check_model(shown_.model, {proposal}, options, tools);
    if (!report) return tl::unexpected(report.error());
    if (kept) return std::move(*kept);
    std::vector<std::string> numbers;
    for (const std::int64_t step : steps) numbers.push_back(std::to_string(step));
    return none("none of the steps that were tried shows the fault alone (from 0 on: " + join(numbers, ", ") + ")");
  }

  [[nodiscard]] bool is_given() const { return shown_.recipe.optimizer == external_optimizer; }

  Result<ModelReport> check_given(const std::vector<Proposal>& proposals, const CheckOptions& options,
                                  const CheckTools& tools) const {
    const auto variant = load_model(shown_.variant);
    if (!variant) return tl::unexpected(variant.error());
    return check_external(shown_.model, *variant, proposals, options, tools);
  }

  /// The options of the check, cut down to the recipe or the file that shows the fault.
  [[nodiscard]] CheckOptions own_options() const {
    CheckOptions options = shown_.options;
    options.recipe = is_given() ? std::vector<std::string>() : shown_.recipe.passes;
    if (is_given()) options.optimizer = tools_.optimizer.name;
    options.repeat = shown_.recipe.repeat;
    options.each.clear();
    options.only_bundle = options.recipe.empty();  // the round trip alone, or a session with all of its steps
    options.directed = false;
    options.localize = false;  // the rewrites are known
    return options;
  }

  [[nodiscard]] bool is_the_fault(const FaultCase& found) const {
    return found.fault.verdict == shown_.fault.verdict && found.recipe == shown_.recipe &&
           found.session.level == shown_.session.level && !found.inputs.empty();
  }

  Result<KeptFault> keep_as_shown(const FaultCase& found, const KeepFault& keep) const {
    FaultRecord fault = found.fault;
    fault.id = shown_.fault.id;
    fault.rewrites = shown_.fault.rewrites;
    return keep({found.model, shown_.options, fault, found.recipe, found.contract, found.session, found.reference_level,
                 found.variant, found.inputs, found.expected, found.evidence, found.measurements, found.explained,
                 found.runtime, found.confirmed, found.is_other_decision});
  }

  const FaultCase& shown_;
  const FreezingTools& tools_;
  Dispatcher dispatcher_;
};

}  // namespace

Result<bool> shows_in_steps(const FaultCase& shown) {
  if (shown.inputs.empty()) return false;
  const auto inputs = read_pack(shown.inputs);
  if (!inputs) return tl::unexpected(inputs.error());
  return has_steps(*inputs) || has_tokens(*inputs);
}

Result<std::optional<std::int64_t>> first_parted_step(std::span<const NamedTensor> sample,
                                                      std::span<const NamedTensor> right,
                                                      std::span<const NamedTensor> found, const Tolerance& tolerance) {
  const auto last = last_step(sample, right);
  if (!last) return tl::unexpected(last.error());
  const StepNumbers wrong = first_wrong_steps(sample, right, found, *last + 1, tolerance);
  return wrong.empty() ? std::nullopt : std::optional(wrong.front());
}

Result<std::vector<std::int64_t>> steps_to_try(std::span<const NamedTensor> sample, std::span<const NamedTensor> right,
                                               std::span<const NamedTensor> found, const Tolerance& tolerance) {
  const auto last = last_step(sample, right);
  if (!last) return tl::unexpected(last.error());
  const auto loop = loop_of(sample);
  StepNumbers likely = first_wrong_steps(sample, right, found, loop ? loop->steps : *last + 1, tolerance);
  if (!likely.empty() && likely.front() > 0) likely.push_back(likely.front() - 1);
  if (likely.size() > most_steps_tried - 2) likely.resize(most_steps_tried - 2);
  likely.push_back(0);
  likely.push_back(*last);
  StepNumbers steps;
  for (const std::int64_t step : likely)
    if (step <= *last && std::ranges::find(steps, step) == steps.end()) steps.push_back(step);
  return steps;
}

Result<KeptFault> keep_one_step(const FaultCase& shown, const FreezingTools& tools, const KeepFault& keep) {
  auto kept = Freezing(shown, tools).run(keep);
  remove_folder(tools.folder);
  return kept;
}

}  // namespace culprit
