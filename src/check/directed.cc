#include "check/directed.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <system_error>

#include "base/text.h"
#include "check/folders.h"
#include "check/scaled.h"
#include "check/weak_data.h"
#include "model/expose.h"
#include "model/perturb.h"
#include "tensor/pack.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_candidates = 8;
constexpr std::size_t most_values = 12;           // exposed
constexpr std::uint64_t most_model = 64'000'000;  // bytes of a model that is written once more
constexpr std::uint64_t most_input = 1'000'000;   // bytes of a sample: values inside are a few times as large
constexpr std::size_t most_reasons = 10;

std::uint64_t bytes_of(const std::vector<NamedTensor>& sample) {
  std::uint64_t bytes = 0;
  for (const NamedTensor& input : sample) bytes += input.value.bytes().size();
  return bytes;
}

const Tensor* find(const std::vector<NamedTensor>& values, const std::string& name) {
  const auto at = std::ranges::find(values, name, &NamedTensor::name);
  return at == values.end() ? nullptr : &at->value;
}

std::int64_t not_finite_in(const Tensor& tensor) {
  std::int64_t count = 0;
  if (!is_float(tensor.dtype())) return count;
  for (std::int64_t i = 0; i < tensor.count(); ++i) count += std::isfinite(tensor.number(i)) ? 0 : 1;
  return count;
}

/// The model's own outputs stand first.
bool has_same_outputs(const std::vector<NamedTensor>& own, const std::vector<NamedTensor>& more) {
  return own.size() <= more.size() &&
         std::equal(own.begin(), own.end(), more.begin(), [](const NamedTensor& a, const NamedTensor& b) {
           return a.name == b.name && a.value.identical(b.value);
         });
}

}  // namespace

bool Directed::possible(const Basis& basis, const DataFacts& data) {
  return basis.options.directed && data.source == "synthesized" && basis.samples.size() > 1 &&
         basis.reference.size() == basis.samples.size() && basis.model.proto != nullptr;
}

fs::path Directed::new_folder() { return basis_.folder / "reference" / ("directed-" + std::to_string(folders_++)); }

void Directed::start(std::span<const Place> places, Then then) {
  then_ = std::move(then);
  wants_ = wants_of(places, *basis_.model.proto);
  if (wants_.empty() || desk_.must_skip("directed samples") || !make()) return finish();
  know_plain_samples();
  expose_values();
  run_from(0);
}

/// So many of the last samples.
std::size_t Directed::replaceable() const {
  const std::size_t count = basis_.samples.size() - basis_.further;
  return count - plain_of(count);
}

// --- candidates ---------------------------------------------------------------------------------------------------

bool Directed::make() {
  const std::size_t count = basis_.samples.size();
  std::vector<Pack> bases;
  for (std::size_t i = count - replaceable(); i < count; ++i) {
    auto pack = read_pack(basis_.samples[i]);
    if (!pack) return false;
    bases.push_back(std::move(*pack));
  }
  for (const Want& want : wants_) {
    if (std::ranges::find(watched_, want.value) == watched_.end()) watched_.push_back(want.value);
  }
  candidates_ = make_candidates(basis_.model, wants_, bases, seed_, std::min(count - basis_.further, most_candidates));
  return !candidates_.empty() && write_candidates();
}

bool Directed::write_candidates() {
  std::error_code error;
  const fs::path folder = basis_.folder / "samples" / "directed";
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
  for (std::size_t i = 0; i < basis_.samples.size(); ++i) {
    const auto inputs = read_pack(basis_.samples[i]);
    const auto outputs = read_pack(basis_.reference[i]);
    if (!inputs || !outputs) continue;
    for (const NamedTensor& output : *outputs) {
      std::int64_t& most = most_not_finite_[output.name];
      most = std::max(most, not_finite_in(output.value));
    }
    if (i < basis_.samples.size() - replaceable()) known_.merge(patterns_in(*inputs, *outputs));
  }
}

Patterns Directed::patterns_in(const Pack& inputs, const Pack& outputs) const {
  Patterns patterns;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Tensor* value = find(inputs, watched_[i]);
    if (value == nullptr) value = find(outputs, watched_[i]);
    if (value != nullptr) patterns.merge(patterns_of(*value, i));
  }
  std::uint64_t number = watched_.size();
  for (const NamedTensor& output : outputs) {
    if (most_not_finite_.contains(output.name)) patterns.merge(patterns_of(output.value, number++));
  }
  return patterns;
}

// --- their runs ---------------------------------------------------------------------------------------------------

/// Only of a small model, and if it can be written: else its outputs have to tell.
void Directed::expose_values() {
  const auto& graph = basis_.model.proto->graph();
  std::set<std::string> made;
  for (const auto& node : graph.node()) made.insert(node.output().begin(), node.output().end());
  for (const auto& output : graph.output()) made.erase(output.name());
  std::vector<std::string> inside;
  std::ranges::copy_if(watched_, std::back_inserter(inside), [&](const auto& value) { return made.contains(value); });
  const bool is_small = !basis_.model.has_external_data && basis_.model.facts.bytes <= most_model &&
                        bytes_of(candidates_.front().inputs) <= most_input;
  if (inside.empty() || !is_small) return;
  std::error_code error;
  folder_ = basis_.folder / "outputs" / "directed";
  fs::create_directories(folder_, error);
  const auto values = spread(inside, most_values);
  if (!error && save_model(expose(*basis_.model.proto, values), folder_ / "original.onnx", Durability::buffered)) {
    values_ = values;
  }
}

void Directed::run_from(std::size_t first) {
  RunJob job;
  const bool with_plain = !values_.empty() && first == 0;  // the control that reading values changes nothing
  job.model = values_.empty() ? basis_.model.path : folder_ / "original.onnx";
  job.session = basis_.session;
  job.limits = basis_.options.limits;
  job.folder = new_folder();
  if (with_plain) job.samples.push_back(basis_.samples.front());
  job.samples.insert(job.samples.end(), packs_.begin() + static_cast<std::ptrdiff_t>(first), packs_.end());
  desk_.run(std::move(job), [this, first, with_plain](const RunOutcome& outcome) { take(outcome, first, with_plain); });
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

/// The values inside of one plain sample stand for those of all. False: with them as outputs the model is another.
bool Directed::take_plain(const fs::path& output) {
  const auto inputs = read_pack(basis_.samples.front());
  const auto own = read_pack(basis_.reference.front());
  const auto more = read_pack(output);
  if (!inputs || !own || !more || !has_same_outputs(*own, *more)) return false;
  known_.merge(patterns_in(*inputs, *more));
  plain_output_ = output;
  return true;
}

void Directed::without_values() {
  values_.clear();
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
  if (is_scaled_ || plain_output_.empty() || desk_.must_skip("larger directed samples")) return false;
  is_scaled_ = true;
  Patterns seen = known_;
  for (const auto& patterns : patterns_) {
    if (patterns) seen.insert(patterns->begin(), patterns->end());
  }
  std::vector<Want> unmet;
  std::ranges::copy_if(wants_, std::back_inserter(unmet), [&](const Want& want) {
    const auto at = std::ranges::find(watched_, want.value) - watched_.begin();
    const bool is_inside = std::ranges::find(values_, want.value) != values_.end();
    return is_inside && is_out_of_reach(want.wish, static_cast<std::uint64_t>(at), seen);
  });
  if (unmet.empty()) return false;
  std::vector<Shown> others;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].empty()) others.push_back(read_shown(packs_[i], outputs_[i]));
  }
  const auto base = read_pack(basis_.samples.back());
  if (!base) return false;
  auto more = scaled_candidates(unmet, read_shown(basis_.samples.front(), plain_output_), others, *base,
                                steering_values(*basis_.model.proto));
  std::ranges::move(more, std::back_inserter(candidates_));
  return !more.empty() && write_candidates();
}

// --- the choice ---------------------------------------------------------------------------------------------------

void Directed::choose() {
  std::vector<Patterns> shown;
  for (const auto& patterns : patterns_) shown.push_back(patterns.value_or(Patterns{}));
  Patterns wished;
  for (const Want& want : wants_) {
    const auto at = std::ranges::find(watched_, want.value) - watched_.begin();
    wished.merge(patterns_wished(want.wish, static_cast<std::uint64_t>(at)));
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
  job.model = basis_.model.path;
  job.session = basis_.session;
  job.limits = basis_.options.limits;
  job.folder = new_folder();
  for (const std::size_t candidate : chosen) job.samples.push_back(packs_[candidate]);
  desk_.run(std::move(job), [this, chosen](const RunOutcome& outcome) {
    auto ran = chosen;
    ran.resize(std::min(ran.size(), outcome.outputs.size()));
    replace(ran, outcome.outputs);
  });
}

/// The last samples go, unless the outputs then say less than before.
void Directed::replace(const std::vector<std::size_t>& chosen, const std::vector<fs::path>& outputs) {
  if (chosen.empty()) return finish();
  auto samples = basis_.samples;
  auto reference = basis_.reference;
  const std::size_t first = samples.size() - chosen.size();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    samples[first + i] = packs_[chosen[i]];
    reference[first + i] = outputs[i];
  }
  const auto before = weakness_of(basis_.samples, basis_.reference);
  const auto after = weakness_of(samples, reference);
  if (!before || !after || after->weak.size() > before->weak.size()) return finish();
  std::error_code ignored;
  for (std::size_t i = first; i < samples.size(); ++i) {
    fs::remove(basis_.samples[i], ignored);
    fs::remove(basis_.reference[i], ignored);
  }
  basis_.samples = std::move(samples);
  basis_.reference = std::move(reference);
  // These were run in other company: each is taken to last as long as the longest plain one.
  const auto took = std::span(basis_.took.samples);
  if (first < took.size()) std::ranges::fill(took.subspan(first), std::ranges::max(took));
  basis_.directed = chosen.size();
  tell(chosen);
  finish();
}

void Directed::tell(const std::vector<std::size_t>& chosen) {
  const std::size_t first = basis_.samples.size() - chosen.size();
  const std::size_t each = std::max<std::size_t>(most_reasons / chosen.size(), 1);
  result_.samples = chosen.size();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& reasons = candidates_[chosen[i]].reasons;
    for (std::size_t k = 0; k < std::min(each, reasons.size()); ++k) {
      if (result_.reasons.size() == most_reasons) return;
      result_.reasons.push_back("sample " + std::to_string(first + i) + ": " + reasons[k]);
    }
  }
}

void Directed::finish() {
  remove_folder(folder_);
  candidates_.clear();
  const Then then = std::move(then_);
  then(std::move(result_));
}

}  // namespace culprit
