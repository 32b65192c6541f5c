#include "task/vector_truth.h"

#include <cstring>
#include <limits>
#include <utility>

#include "statistics/sample_values.h"
#include "task/embedding.h"
#include "task/retrieval.h"
#include "task/task_comparator.h"
#include "task/verification.h"

namespace culprit {

VectorTruth::VectorTruth(const TaskSettings& settings, std::unique_ptr<Spill> spill)
    : settings_(settings), spill_(std::move(spill)) {
  for (const SamplePair& pair : settings.pairs) paired_.insert({pair.first, pair.second});
}

Result<void> VectorTruth::add(std::int64_t sample, const Truth* truth, std::span<const double> vector) {
  const auto fitting = static_cast<std::int64_t>(most_retrieved_numbers / std::max<std::size_t>(1, vector.size()));
  // By number and not by order, so that any grouping keeps the same ones.
  const bool is_retrieved = sample < std::min(most_retrieved, fitting);
  const std::string label = truth != nullptr && is_retrieved ? truth->label : "";
  if (label.empty() && !paired_.contains(sample)) return {};
  return keep(sample, label, std::vector<float>(vector.begin(), vector.end()));
}

Result<void> VectorTruth::keep(std::int64_t sample, const std::string& label, std::span<const float> vector) {
  const std::string_view bytes(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
  places_[sample] = {size_, vector.size(), label};
  size_ += bytes.size();
  if (spill_) return spill_->append(bytes);
  in_memory_ += bytes;
  return {};
}

Result<std::vector<float>> VectorTruth::vector_at(const Place& place) const {
  std::vector<float> vector(place.numbers);
  const std::span<char> into(reinterpret_cast<char*>(vector.data()), vector.size() * sizeof(float));
  if (spill_) {
    if (auto read = spill_->read(place.offset, into); !read) return tl::unexpected(read.error());
  } else if (!into.empty()) {
    std::memcpy(into.data(), in_memory_.data() + place.offset, into.size());
  }
  return vector;
}

Result<void> VectorTruth::write(StateWriter& state) const {
  state.add(static_cast<std::uint64_t>(places_.size()));
  for (const auto& [sample, place] : places_) {
    const auto vector = vector_at(place);
    if (!vector) return tl::unexpected(vector.error());
    state.add(sample).add(std::string_view(place.label)).add_all(*vector);
  }
  return {};
}

Result<void> VectorTruth::merge(StateReader& state) {
  const auto vectors = state.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < vectors && state.is_good(); ++i) {
    const std::int64_t sample = state.count();
    const std::string label(state.text());
    std::vector<float> vector;
    state.all_to(vector);
    if (!state.is_good()) return {};
    if (auto kept = keep(sample, label, vector); !kept) return kept;
  }
  return {};
}

Result<void> VectorTruth::fill_retrieval(DecisionRecord& record, std::uint64_t seed) const {
  std::vector<std::vector<float>> vectors;
  std::vector<std::string> kinds;
  for (const auto& [sample, place] : places_) {
    if (place.label.empty()) continue;
    auto vector = vector_at(place);
    if (!vector) return tl::unexpected(vector.error());
    vectors.push_back(std::move(*vector));
    kinds.push_back(place.label);
  }
  SampleValues first, among, precision;
  for (const RetrievedKind& one : retrieve_kinds(vectors, kinds)) {
    first.add(one.recall_1);
    among.add(one.recall_5);
    precision.add(one.average_precision);
  }
  if (first.size() == 0) return {};
  auto& metrics = record.variant_against_labels;
  metrics["recall_1"] = record_of(first.share(seed));
  metrics["recall_5"] = record_of(among.share(seed));
  metrics["map"] = record_of(precision.share(seed));
  return {};
}

Result<void> VectorTruth::fill_verification(DecisionRecord& record, std::uint64_t seed) const {
  std::vector<ComparedPair> pairs;
  std::int64_t same = 0;
  for (const SamplePair& pair : settings_.pairs) {
    const auto a = places_.find(pair.first), b = places_.find(pair.second);
    if (a == places_.end() || b == places_.end()) continue;  // one was not read, or the model fails on it
    const auto first = vector_at(a->second), second = vector_at(b->second);
    if (!first) return tl::unexpected(first.error());
    if (!second) return tl::unexpected(second.error());
    const std::vector<double> x(first->begin(), first->end()), y(second->begin(), second->end());
    const bool is_lost = holds_nan(x) || holds_nan(y);
    pairs.push_back({is_lost ? std::numeric_limits<double>::quiet_NaN() : cosine_of(x, y), pair.is_same});
    same += pair.is_same ? 1 : 0;
  }
  if (same == 0 || same == std::ssize(pairs)) return {};
  const VerificationResult result = verify(std::move(pairs), seed);
  auto& metrics = record.variant_against_labels;
  metrics["pair_accuracy"] = record_of(result.accuracy);
  metrics["pair_auc"] = record_of(result.area);
  metrics["eer"] = record_of(result.equal_error);
  metrics["tar_at_far_1e-2"] = record_of(result.taken_at_1e2);
  metrics["tar_at_far_1e-3"] = record_of(result.taken_at_1e3);
  return {};
}

Result<void> VectorTruth::fill(DecisionRecord& record, std::uint64_t seed) const {
  record.labelled = std::ssize(places_);
  if (auto filled = fill_retrieval(record, seed); !filled) return filled;
  return fill_verification(record, seed);
}

}  // namespace culprit
