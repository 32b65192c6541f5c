#include "check/variants/inner_values_of_weak_data.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/folder.h"
#include "base/text.h"
#include "executor/run_and_wait.h"
#include "model/expose_values.h"
#include "model/lead_to_outputs.h"
#include "model/placed_weights.h"
#include "tensor/pack_file.h"
#include "trial/plain_reason.h"

namespace culprit {

namespace fs = std::filesystem;

/// The original with values exposed, as it ran.
struct InnerValuesOfWeakData::Exposed {
  RunOutcome outcome;
  std::vector<NamedTensor> first;  ///< outputs and values, of the first sample
};

/// One variant with values exposed, ready to run.
struct InnerValuesOfWeakData::Reading {
  RunJob job;
  std::vector<std::string> values;
  std::shared_ptr<VariantResult> result;
  std::shared_ptr<const Binding> binding;  ///< where each value of the original stands among the variant's
};

namespace {

constexpr std::size_t most_judged_values = 64;
constexpr std::size_t most_samples = 4;
constexpr std::uint64_t most_bytes = 256'000'000;  // in one run, over its samples

/// A plain tensor of that name.
const Tensor* find_whole(const std::vector<NamedTensor>& values, const std::string& name) {
  const auto at = std::ranges::find(values, name, &NamedTensor::name);
  return at == values.end() || !at->part.empty() ? nullptr : &at->value;
}

bool same_bits(const std::vector<NamedTensor>& outputs, const std::vector<NamedTensor>& more) {
  if (outputs.size() > more.size()) return false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].name != more[i].name || outputs[i].part != more[i].part ||
        !outputs[i].value.identical(more[i].value))
      return false;
  }
  return true;
}

/// Of these values, tensors of numbers that fit together into `limit` bytes, small ones first.
std::vector<std::string> affordable(const std::vector<std::string>& values, const std::vector<NamedTensor>& found,
                                    std::uint64_t limit) {
  std::vector<std::pair<std::uint64_t, std::string>> sizes;
  for (const std::string& value : values) {
    const Tensor* tensor = find_whole(found, value);
    if (tensor == nullptr || (!is_float(tensor->dtype()) && !is_integer(tensor->dtype()))) continue;
    sizes.emplace_back(tensor->bytes().size(), value);
  }
  std::ranges::stable_sort(sizes, {}, &std::pair<std::uint64_t, std::string>::first);
  std::set<std::string> taken;
  std::uint64_t total = 0;
  for (const auto& [bytes, value] : sizes) {
    if ((total += bytes) > limit) break;
    taken.insert(value);
  }
  std::vector<std::string> kept;
  std::ranges::copy_if(values, std::back_inserter(kept), [&](const auto& value) { return taken.contains(value); });
  return kept;
}

/// Of what diverged, the first in the order of the graph: the others mostly follow from it.
Comparison first_diverged(Comparison comparison, const std::vector<std::string>& values) {
  const auto first = std::ranges::find_if(values, [&](const std::string& value) {
    const auto at = comparison.measurements.find(value);
    return at != comparison.measurements.end() && verdict_of(at->second) == Verdict::diverged;
  });
  if (first != values.end()) comparison.measurements = {{*first, comparison.measurements.at(*first)}};
  return comparison;
}

/// Is every value that is wrong here wrong by the same in the round trip?
bool is_as_in(const VariantResult& trip, const VariantResult& own) {
  return std::ranges::all_of(own.inner, [&](const auto& entry) {
    if (verdict_of(entry.second) != Verdict::diverged) return true;
    const auto at = trip.inner.find(entry.first);
    return at != trip.inner.end() && at->second.max_abs == entry.second.max_abs &&
           at->second.mismatched == entry.second.mismatched;
  });
}

}  // namespace

InnerValuesOfWeakData::InnerValuesOfWeakData(Dispatcher& dispatcher, const Reference& reference,
                                             std::set<std::string> weak)
    : dispatcher_(dispatcher),
      reference_(reference),
      weak_(std::move(weak)),
      folder_(reference.folder / "outputs" / "inner") {}

// --- the original -------------------------------------------------------------------------------------------------

Result<RunOutcome> InnerValuesOfWeakData::run(const fs::path& model, std::size_t samples, const std::string& folder) {
  RunJob job;
  job.model = model;
  job.session = reference_.session;
  job.samples.assign(reference_.samples.begin(), reference_.samples.begin() + static_cast<std::ptrdiff_t>(samples));
  job.folder = folder_ / folder;
  job.limits = reference_.options.limits;
  return run_and_wait(dispatcher_, std::move(job));
}

/// Nothing is compared then, and the report says why.
void InnerValuesOfWeakData::refuse(const std::string& why) {
  values_.clear();
  if (!control_) control_ = ControlRecord{ControlName::capture, Verdict::inconclusive, "", {}};
  control_->message = "inner values are not compared: " + why;
}

Result<void> InnerValuesOfWeakData::capture() {
  captured_ = true;
  if (reference_.model.proto == nullptr) return {};
  auto values = inner_values(*reference_.model.proto);
  const auto& graph = reference_.model.proto->graph();
  const auto is_weak = [&](const auto& output) { return weak_.contains(output.name()); };
  if (!std::ranges::all_of(graph.output(), is_weak)) {
    const auto concerned = values_that_lead_only_to(graph, weak_);
    std::erase_if(values, [&](const std::string& value) { return !concerned.contains(value); });
  }
  values_ = spread(values, most_judged_values);
  if (values_.empty()) return {};
  if (auto ok = make_folder(folder_); !ok) return ok;
  onnx::ModelProto model = *reference_.model.proto;
  if (reference_.model.has_external_data) {
    if (auto ok = inline_external_data(model, reference_.model.path.parent_path()); !ok) {
      refuse(ok.error().message);
      return {};
    }
  }
  return choose(model);
}

/// How large the values are is known when they have come out once: one sample tells which are read on the others.
Result<void> InnerValuesOfWeakData::choose(const onnx::ModelProto& model) {
  const fs::path file = folder_ / "original.onnx";
  const std::size_t samples = std::min(reference_.samples.size(), most_samples);
  const auto sizes = run_exposed(model, file, 1, "sizes");
  if (!sizes) return tl::unexpected(sizes.error());
  if (!*sizes) return {};
  values_ = affordable(values_, (*sizes)->first, most_bytes / samples);
  if (values_.empty()) return {};
  const auto original = run_exposed(model, file, samples, "original");
  if (!original) return tl::unexpected(original.error());
  if (!*original) return {};
  judge_capture((*original)->outcome);
  hold_against(file);
  return {};
}

/// Nothing where that cannot be: then it is refused.
Result<std::optional<InnerValuesOfWeakData::Exposed>> InnerValuesOfWeakData::run_exposed(const onnx::ModelProto& model,
                                                                                         const fs::path& file,
                                                                                         std::size_t samples,
                                                                                         const std::string& folder) {
  if (auto ok = save_model(expose(model, values_), file); !ok) {
    refuse(ok.error().message);
    return std::nullopt;
  }
  auto outcome = run(file, samples, folder);
  if (!outcome) return tl::unexpected(outcome.error());
  auto first = outcome->outputs.empty() ? Result<std::vector<NamedTensor>>() : read_pack(outcome->outputs[0]);
  if (outcome->failure.failed() || !first || first->empty()) {
    refuse("the model does not run with them as outputs: " + failure_text(outcome->failure, reference_.options.limits));
    return std::nullopt;
  }
  return Exposed{std::move(*outcome), std::move(*first)};
}

/// The original with its values exposed: what variants are held against here, and what is drawn.
void InnerValuesOfWeakData::hold_against(const fs::path& file) {
  exposed_ = std::make_unique<Model>(reference_.model);
  exposed_->path = file;
  const auto samples = static_cast<std::ptrdiff_t>(expected_.size());
  exposed_reference_ = std::make_unique<const Reference>(Reference{
      .model = *exposed_,
      .options = reference_.options,
      .folder = folder_,
      .session = reference_.session,
      .samples = {reference_.samples.begin(), reference_.samples.begin() + samples},
      .fed = reference_.fed,
      .outputs = expected_,
      .runtime = reference_.runtime,
  });
  judge_ = std::make_unique<DrawnJudge>(dispatcher_, *exposed_reference_);
}

void InnerValuesOfWeakData::judge_capture(const RunOutcome& outcome) {
  const auto reference =
      std::span(reference_.outputs).first(std::min(outcome.outputs.size(), reference_.outputs.size()));
  const Comparison comparison = compare(reference, outcome.outputs, {}, Contract::equivalent, reference_.options);
  control_ = ControlRecord{ControlName::capture, verdict_of(comparison.measurements), "", comparison.measurements};
  expected_ = outcome.outputs;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const auto without = read_pack(reference[i]);
    const auto with = read_pack(outcome.outputs[i]);
    if (without && with && same_bits(*without, *with)) continue;
    control_->verdict = std::max(control_->verdict, Verdict::deviates);
    const std::string difference = describe(comparison);
    return refuse("reading them changes the model's own outputs" + (difference.empty() ? "" : ": " + difference));
  }
}

// --- the variants -------------------------------------------------------------------------------------------------

/// Behind their own outputs both have values; those that the variant lacks are nowhere in it.
std::shared_ptr<const Binding> InnerValuesOfWeakData::binding_to(std::size_t outputs,
                                                                 const std::vector<std::string>& values) const {
  auto binding = std::make_shared<Binding>();
  binding->outputs.assign(reference_.model.interface.outputs.size(), SIZE_MAX);
  for (const std::string& value : values_) {
    const auto at = std::ranges::find(values, value);
    binding->outputs.push_back(at == values.end() ? SIZE_MAX : outputs + static_cast<std::size_t>(at - values.begin()));
  }
  return binding;
}

/// Nothing where no value means the same in both.
std::optional<InnerValuesOfWeakData::Reading> InnerValuesOfWeakData::reading_of(const DistinctRun& distinct) {
  const auto variant = load_model(distinct.job.model);
  if (!variant) return std::nullopt;
  Reading reading{distinct.job, comparable_values(*reference_.model.proto, *variant->proto, values_), distinct.result,
                  nullptr};
  if (reading.values.empty()) return std::nullopt;
  reading.job.model = folder_ / distinct.job.model.filename();
  if (!save_model(expose(*variant->proto, reading.values), reading.job.model)) return std::nullopt;
  if (!link_weights(*variant->proto, distinct.job.model.parent_path(), folder_)) return std::nullopt;
  reading.job.samples.resize(expected_.size());
  reading.binding = binding_to(variant->interface.outputs.size(), reading.values);
  return reading;
}

/// Held against what draws of the original gave these very values.
void InnerValuesOfWeakData::judge(const RunOutcome& outcome, const Reading& reading, const DrawnJudge::Then& then) {
  if (outcome.failure.failed()) return then({});
  const auto keep = [then, binding = reading.binding](const Judgement& judgement) { then(judgement); };
  judge_->judge(outcome, *reading.binding, Contract::equivalent, keep,
                {.samples = expected_.size(), .only = {reading.values.begin(), reading.values.end()}});
}

void InnerValuesOfWeakData::read(const Reading& reading) {
  RunJob job = reading.job;
  job.folder = folder_ / std::to_string(files_++);
  dispatcher_.run(job, [this, reading, folder = job.folder](const RunOutcome& outcome) {
    judge(outcome, reading, [this, reading, folder](const Judgement& judgement) {
      remove_folder(folder);
      VariantResult& result = *reading.result;
      result.inner = judgement.measurements;
      if (verdict_of(result.inner) != Verdict::diverged) return;
      Comparison comparison;
      comparison.measurements = judgement.measurements;
      comparison.samples = expected_.size();
      comparison.faulty = judgement.faulty;
      result.judgement.verdict = Verdict::diverged;
      result.judgement.message = describe(first_diverged(std::move(comparison), reading.values), "inner value");
      result.judgement.error = "inner value";
      confirm(reading);
    });
  });
}

void InnerValuesOfWeakData::confirm(const Reading& reading) {
  reading.result->asked = reference_.options.confirmations;
  for (int i = 0; i < reading.result->asked; ++i) {
    RunJob job = reading.job;
    job.folder = folder_ / std::to_string(files_++);
    job.fresh_process = true;
    dispatcher_.run(job, [this, reading, folder = job.folder](const RunOutcome& outcome) {
      judge(outcome, reading, [reading, folder](const Judgement& again) {
        if (verdict_of(again.measurements) == Verdict::diverged) ++reading.result->confirmed;
        remove_folder(folder);
      });
    });
  }
}

Result<void> InnerValuesOfWeakData::examine(const JudgedVariants& variants) {
  for (const DistinctRun& distinct : variants.distinct_runs()) {
    if (dispatcher_.must_skip("inner values")) break;
    if (std::ranges::find(examined_, distinct.result) != examined_.end()) continue;
    examined_.push_back(distinct.result);
    const Verdict verdict = distinct.result->judgement.verdict;
    if (verdict != Verdict::equivalent && verdict != Verdict::deviates) continue;
    if (!captured_) {
      if (auto ok = capture(); !ok) return ok;
    }
    if (values_.empty()) continue;
    if (const auto reading = reading_of(distinct)) read(*reading);
  }
  if (auto ok = dispatcher_.drain(); !ok) return ok;
  const auto trip = variants.round_trip().result;
  for (const auto& result : examined_) {
    const bool both = trip && trip != result && verdict_of(trip->inner) == Verdict::diverged &&
                      verdict_of(result->inner) == Verdict::diverged;
    if (both && is_as_in(*trip, *result)) result->as_round_trip = true;
  }
  return {};
}

}  // namespace culprit
