#include "check/variants/controlled_runs.h"

#include <cstdint>
#include <utility>

namespace culprit {

OnPlaces ControlledRuns::start_directed(Reference plain) {
  directed_ = std::make_unique<Directed>(made_.setting().dispatcher, std::move(plain), report_.data.seed);
  return [this](const std::vector<Place>& places) {
    directed_->start(places, [this](DirectedSamples directed, Reference reference) {
      report_.data.directed = static_cast<std::int64_t>(directed.samples);
      report_.data.directions = reference.directions = std::move(directed.directions);
      start(std::move(reference));
    });
  };
}

void ControlledRuns::start(Reference reference, std::optional<std::size_t> needed) {
  needed_ = needed;
  const VariantSetting& setting = made_.setting();
  by_ = std::make_unique<Judging>(setting.dispatcher, std::move(reference));
  RunJob original;
  original.model = setting.model.path;
  original.session = by_->reference.session;
  original.samples = by_->reference.samples;
  original.limits = setting.options.limits;
  setting.dispatcher.hold_against(std::move(original));
  run_repeat_control(setting.dispatcher, by_->reference,
                     [this](Result<RepeatResult> repeat) { take_repeat(std::move(repeat)); });
  by_->deploy_level.run_original([this] { control_came(); });
}

void ControlledRuns::take_repeat(Result<RepeatResult> repeat) {
  if (!repeat) {
    machine_ = tl::unexpected(repeat.error());
    return;
  }
  const bool repeats = repeat->repeats;
  if (!repeats) {
    report_.baseline.status = BaselineStatus::nondeterministic;
    report_.baseline.message = repeat->record.message;
  }
  report_.controls.push_back(std::move(repeat->record));
  if (repeats) control_came();
}

/// The repeat went well, or the original has run at the deploy level: when both are there, variants are judged.
void ControlledRuns::control_came() {
  if (--awaited_ > 0) return;
  by_->deploy_level.judge_original();
  runs_ = std::make_unique<VariantRuns>(made_, *by_, needed_);
}

}  // namespace culprit
