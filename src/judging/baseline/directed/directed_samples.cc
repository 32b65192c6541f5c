#include "baseline/directed/directed_samples.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <system_error>

#include "base/folder.h"
#include "base/text.h"
#include "baseline/directed/scaled_samples.h"
#include "model/perturb_weights.h"
#include "tensor/pack_file.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_candidate_samples = 8;

std::int64_t not_finite_in(const Tensor& tensor) {
  std::int64_t count = 0;
  if (!is_float(tensor.dtype())) return count;
  for (std::int64_t i = 0; i < tensor.count(); ++i) count += std::isfinite(tensor.number(i)) ? 0 : 1;
  return count;
}

}  // namespace

bool Directed::possible(const Reference& reference, const DataFacts& data) {
  return data.source == DataSource::synthesized && reference.samples.size() > 1 &&
         reference.outputs.size() == reference.samples.size() && reference.model.proto != nullptr;
}

fs::path Directed::new_folder() { return reference_.folder / "reference" / ("directed-" + std::to_string(folders_++)); }

void Directed::start(std::span<const Place> places, Then then) {
  then_ = std::move(then);
  wants_ = wants_of(places, *reference_.model.proto);
  if (wants_.empty() || dispatcher_.must_skip("directed samples")) return finish();
  for (const Want& want : wants_) {
    if (number_of(want) == watched_.size()) watched_.push_back({want.value, want.inside});
  }
  const bool is_inside = std::ranges::any_of(wants_, [](const Want& want) { return !want.inside.empty(); });
  is_inside&& expose_values(Reading::inside) ? survey() : go_on();
}

/// The samples that are varied are those that would be replaced, or those that a survey found to come to the places.
void Directed::go_on() {
  if (bases_.empty()) {
    for (std::size_t i = reference_.samples.size() - replaceable(); i < reference_.samples.size(); ++i)
      bases_.push_back(i);
  }
  if (!make()) return finish();
  know_plain_samples();
  if (surveyed_.empty()) expose_values(Reading::above);
  run_from(0);
}

/// So many of the last samples.
std::size_t Directed::replaceable() const {
  const std::size_t count = reference_.samples.size() - reference_.further;
  return count - plain_of(count);
}

// --- candidates ---------------------------------------------------------------------------------------------------

bool Directed::make() {
  const std::size_t count = reference_.samples.size();
  std::vector<Pack> bases;
  for (const std::size_t i : bases_) {
    auto pack = read_pack(reference_.samples[i]);
    if (!pack) return false;
    bases.push_back(std::move(*pack));
  }
  // What is varied may lead away from a branch again: then as many as may be are tried.
  const std::size_t most =
      surveyed_.empty() ? std::min(count - reference_.further, most_candidate_samples) : most_candidate_samples;
  candidates_ = make_candidates(reference_.model, wants_, bases, seed_, most);
  return !candidates_.empty() && write_candidates();
}

bool Directed::write_candidates() {
  std::error_code error;
  const fs::path folder = reference_.folder / "samples" / "directed";
  fs::create_directories(folder, error);
  for (std::size_t i = packs_.size(); i < candidates_.size(); ++i) {
    packs_.push_back(folder / (std::to_string(i) + ".pack"));
    if (error || !write_pack(packs_.back(), candidates_[i].inputs)) return false;
  }
  patterns_.resize(candidates_.size());
  outputs_.resize(candidates_.size());
  return true;
}

/// What stays is known already, and a candidate counts for what it adds.
void Directed::know_plain_samples() {
  for (std::size_t i = 0; i < reference_.samples.size(); ++i) {
    const auto inputs = read_pack(reference_.samples[i]);
    const auto outputs = read_pack(reference_.outputs[i]);
    if (!inputs || !outputs) continue;
    for (const NamedTensor& output : *outputs) {
      std::int64_t& most = most_not_finite_[output.name];
      most = std::max(most, not_finite_in(output.value));
    }
    if (i >= reference_.samples.size() - replaceable()) continue;
    const auto more = i < surveyed_.size() ? read_pack(surveyed_[i]) : outputs;
    if (more) known_.merge(patterns_in(*inputs, *more));
  }
}

// --- their runs ---------------------------------------------------------------------------------------------------

void Directed::run_from(std::size_t first) {
  RunJob job;
  // The control that reading values changes nothing.
  const bool with_plain = !values_.empty() && surveyed_.empty() && first == 0;
  job.model = values_.empty() ? reference_.model.path : folder_ / "original.onnx";
  job.session = reference_.session;
  job.limits = reference_.options.limits;
  job.folder = new_folder();
  if (with_plain) job.samples.push_back(reference_.samples.front());
  job.samples.insert(job.samples.end(), packs_.begin() + static_cast<std::ptrdiff_t>(first), packs_.end());
  dispatcher_.run(std::move(job),
                  [this, first, with_plain](const RunOutcome& outcome) { take(outcome, first, with_plain); });
}

/// A candidate that the model refuses is left out, and the rest is run; what dies or takes too long ends the search.
void Directed::take(const RunOutcome& outcome, std::size_t first, bool with_plain) {
  std::size_t next = first;
  for (std::size_t i = 0; i < outcome.outputs.size(); ++i) {
    if (!with_plain || i > 0) {
      take_candidate(next++, outcome.outputs[i]);
    } else if (!take_plain(outcome.outputs[i])) {
      return without_values();
    }
  }
  const bool is_refused = outcome.failure.ending == Ending::threw && !outcome.failure.machine;
  if (is_refused && with_plain && outcome.outputs.empty()) return without_values();
  const bool goes_on = is_refused && outcome.stage == RunOutcome::Stage::run;
  if (goes_on && next + 1 < packs_.size()) return run_from(next + 1);
  const std::size_t tried = packs_.size();
  (goes_on || !outcome.failure.failed()) && add_scaled() ? run_from(tried) : choose();
}

void Directed::without_values() {
  stop_reading();
  run_from(0);
}

void Directed::take_candidate(std::size_t number, const fs::path& output) {
  if (number >= candidates_.size()) return;
  const auto outputs = read_pack(output);
  if (!outputs || !is_sound(candidates_[number], *outputs)) return;
  patterns_[number] = patterns_in(candidates_[number].inputs, *outputs);
  outputs_[number] = output;
}

/// NaN and infinities hide what stands beside them: more of them than on any plain sample only where they were wished
/// for, and never nothing else.
bool Directed::is_sound(const Candidate& candidate, const Pack& outputs) const {
  return std::ranges::all_of(outputs, [&](const NamedTensor& output) {
    const auto plain = most_not_finite_.find(output.name);
    if (plain == most_not_finite_.end()) return true;  // a value inside
    const std::int64_t found = not_finite_in(output.value);
    return found <= plain->second || (candidate.asks_for_extremes && found < output.value.count());
  });
}

/// Once, where something that was wished for inside was not met.
bool Directed::add_scaled() {
  if (is_scaled_ || plain_output_.empty() || dispatcher_.must_skip("larger directed samples")) return false;
  is_scaled_ = true;
  Patterns seen = known_;
  for (const auto& patterns : patterns_) {
    if (patterns) seen.insert(patterns->begin(), patterns->end());
  }
  std::vector<Want> unmet;
  std::ranges::copy_if(wants_, std::back_inserter(unmet), [&](const Want& want) {
    const bool is_read = std::ranges::find(values_, want.value) != values_.end();
    return is_read && is_out_of_reach(want.wish, number_of(want), seen);
  });
  if (unmet.empty()) return false;
  std::vector<Shown> others;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].empty()) others.push_back(read_shown(packs_[i], outputs_[i]));
  }
  const auto base = read_pack(surveyed_.empty() ? reference_.samples.back() : plain_);
  if (!base) return false;
  for (Want& want : unmet) want.value = output_of(want.value);
  auto more = scaled_candidates(unmet, read_shown(plain_, plain_output_), others, *base,
                                steering_values(*reference_.model.proto));
  std::ranges::move(more, std::back_inserter(candidates_));
  return !more.empty() && write_candidates();
}

}  // namespace culprit
