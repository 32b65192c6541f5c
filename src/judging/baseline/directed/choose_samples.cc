// Directed samples: which of the candidates that ran replace which samples.
#include <algorithm>
#include <system_error>

#include "base/folder.h"
#include "baseline/directed/directed_samples.h"
#include "trial/weak_data.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_directions = 10;

}  // namespace

void Directed::choose() {
  std::vector<Patterns> shown;
  for (const auto& patterns : patterns_) shown.push_back(patterns.value_or(Patterns{}));
  Patterns wished;
  for (const Want& want : wants_) {
    wished.merge(patterns_wished(want.wish, number_of(want)));
  }
  auto chosen = most_telling(shown, known_, wished, replaceable());
  std::ranges::sort(chosen);
  if (chosen.empty()) return finish();
  if (!values_.empty()) return run_chosen(chosen);
  std::vector<fs::path> outputs;
  outputs.reserve(chosen.size());
  for (const std::size_t candidate : chosen) outputs.push_back(outputs_[candidate]);
  replace(chosen, outputs);
}

/// The reference is the model as given, not one with more outputs.
void Directed::run_chosen(const std::vector<std::size_t>& chosen) {
  RunJob job;
  job.model = reference_.model.path;
  job.session = reference_.session;
  job.limits = reference_.options.limits;
  job.folder = new_folder();
  for (const std::size_t candidate : chosen) job.samples.push_back(packs_[candidate]);
  dispatcher_.run(std::move(job), [this, chosen](const RunOutcome& outcome) {
    auto ran = chosen;
    ran.resize(std::min(ran.size(), outcome.outputs.size()));
    replace(ran, outcome.outputs);
  });
}

/// The last samples go, unless the outputs then say less than before.
void Directed::replace(const std::vector<std::size_t>& chosen, const std::vector<fs::path>& outputs) {
  if (chosen.empty()) return finish();
  auto samples = reference_.samples;
  auto reference = reference_.outputs;
  const std::size_t first = samples.size() - chosen.size();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    samples[first + i] = packs_[chosen[i]];
    reference[first + i] = outputs[i];
  }
  const auto before = weakness_of(reference_.samples, reference_.outputs);
  const auto after = weakness_of(samples, reference);
  if (!before || !after || after->weak.size() > before->weak.size()) return finish();
  std::error_code ignored;
  for (std::size_t i = first; i < samples.size(); ++i) {
    fs::remove(reference_.samples[i], ignored);
    fs::remove(reference_.outputs[i], ignored);
  }
  reference_.samples = std::move(samples);
  reference_.outputs = std::move(reference);
  // These were run in other company: each is taken to last as long as the longest plain one.
  const auto took = std::span(reference_.took.samples);
  if (first < took.size()) std::ranges::fill(took.subspan(first), std::ranges::max(took));
  reference_.directed = chosen.size();
  tell(chosen);
  finish();
}

void Directed::tell(const std::vector<std::size_t>& chosen) {
  const std::size_t first = reference_.samples.size() - chosen.size();
  const std::size_t each = std::max<std::size_t>(most_directions / chosen.size(), 1);
  result_.samples = chosen.size();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& reasons = candidates_[chosen[i]].reasons;
    for (std::size_t k = 0; k < std::min(each, reasons.size()); ++k) {
      if (result_.directions.size() == most_directions) return;
      result_.directions.push_back({first + i, reasons[k]});
    }
  }
}

void Directed::finish() {
  remove_folder(folder_);
  candidates_.clear();
  const Then then = std::move(then_);
  then(std::move(result_), std::move(reference_));
}

}  // namespace culprit
