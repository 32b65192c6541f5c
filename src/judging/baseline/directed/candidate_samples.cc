#include "baseline/directed/candidate_samples.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/random.h"
#include "base/text.h"
#include "data/vary_floats.h"
#include "model/perturb_weights.h"

namespace culprit {
namespace {

class Maker {
 public:
  Maker(const Model& model, std::span<const Want> wants, std::span<const std::vector<NamedTensor>> samples,
        std::uint64_t seed)
      : graph_(model.proto->graph()),
        wants_(wants),
        samples_(samples),
        seed_(seed),
        steering_(steering_values(*model.proto)),
        for_not_finite_(inputs_for_not_finite(graph_)) {
    OriginFinder origins(graph_, samples_.front());
    std::vector<Wish> uncarried;
    for (const Want& want : wants_) {
      if (carries(want, origins.of(want.value), samples_.front())) {
        ++carried_;
      } else {
        uncarried.push_back(want.wish);
        uncarried_.insert(want.pass);
        leaves_the_finite_ |= may_leave_the_finite(want.wish);
      }
    }
    std::erase(uncarried, Wish::distinct);  // random floats are; integers are the plan's
    varies_ = !uncarried.empty();
    if (uncarried.empty()) {
      for (const Want& want : wants_) uncarried.push_back(want.wish);
    }
    variations_ = variations_for(uncarried);
  }

  /// Nothing where it would be the plain sample.
  std::optional<Candidate> make(std::size_t number) {
    if (carried_ == 0 && !varies_) return std::nullopt;
    Candidate candidate{samples_[number % samples_.size()], {}, false};
    Random random(seed_, "directed #" + std::to_string(number));
    OriginFinder origins(graph_, samples_[number % samples_.size()]);
    // The first is the plain sample with all wishes; where none was left over, the second has other sides of them.
    const std::size_t granted_only = carried_ == 0 ? 0 : (varies_ ? 1 : 2);
    if (number >= granted_only) vary(candidate, number - granted_only, random);
    grant_all(candidate, number, origins, random);
    if (is_plain(candidate, samples_[number % samples_.size()])) return std::nullopt;
    return candidate;
  }

 private:
  [[nodiscard]] bool carries(const Want& want, const Origins* origins, const std::vector<NamedTensor>& sample) const {
    if (origins == nullptr || !is_for(want.wish, origins->dtype)) return false;
    std::set<std::string> inputs;
    std::int32_t last = ElementOrigin::constant;
    for (const ElementOrigin& origin : origins->elements) {
      if (origin.input == ElementOrigin::constant || origin.input == last) continue;
      last = origin.input;
      inputs.insert(sample[static_cast<std::size_t>(last)].name);
    }
    const auto may_have = [&](const std::string& input) {
      return want.wish == Wish::not_finite ? for_not_finite_.contains(input) : true;
    };
    return !inputs.empty() && std::ranges::all_of(inputs, may_have) &&
           std::ranges::none_of(inputs, [&](const std::string& input) { return steering_.contains(input); });
  }

  void vary(Candidate& candidate, std::size_t which, Random& random) {
    const Variation variation = variations_[which % variations_.size()];
    candidate.inputs = varied(std::move(candidate.inputs), variation, steering_, random);
    candidate.asks_for_extremes |= leaves_the_finite_;
    if (!varies_) return;
    std::vector<std::string> passes(uncarried_.begin(), uncarried_.end());
    const std::size_t more = passes.size() - std::min<std::size_t>(passes.size(), 2);
    passes.resize(passes.size() - more);
    candidate.reasons.push_back(words_for(variation) + " (" + join(passes, ", ") +
                                (more > 0 ? " and " + std::to_string(more) + " more" : "") + ")");
  }

  /// In another order each time: where two want the same element, the last one has it.
  void grant_all(Candidate& candidate, std::size_t number, OriginFinder& origins, Random& random) {
    Edits edits;
    for (std::size_t i = 0; i < wants_.size(); ++i) {
      const Want& want = wants_[(i + number) % wants_.size()];
      const Origins* from = origins.of(want.value);
      if (want.wish == Wish::distinct && number % 2 == 0) continue;  // a table may have fewer rows
      if (!carries(want, from, candidate.inputs)) continue;
      const auto wanted = targets(want.wish, from->shape, want.details, number, random);
      if (grant(*from, wanted, edits) == 0) continue;
      candidate.asks_for_extremes |= may_leave_the_finite(want.wish);
      candidate.reasons.push_back(words_for(want.wish) + " into '" + printable(want.value, 60) + "' (" +
                                  printable(want.pass, 60) + ")");
    }
    candidate.inputs = edited(std::move(candidate.inputs), edits);
  }

  /// 1 / 0.0 is not finite either.
  static bool may_leave_the_finite(Wish wish) {
    return wish == Wish::extreme || wish == Wish::not_finite || wish == Wish::signed_zeros;
  }

  static bool is_plain(const Candidate& candidate, const std::vector<NamedTensor>& sample) {
    return std::ranges::equal(candidate.inputs, sample,
                              [](const NamedTensor& a, const NamedTensor& b) { return a.value.identical(b.value); });
  }

  const onnx::GraphProto& graph_;
  std::span<const Want> wants_;
  std::span<const std::vector<NamedTensor>> samples_;
  std::uint64_t seed_;
  std::set<std::string> steering_;
  std::set<std::string> for_not_finite_;
  std::size_t carried_ = 0;          // wants
  std::set<std::string> uncarried_;  // passes
  bool varies_ = false;
  bool leaves_the_finite_ = false;  // one of the wishes that are not carried
  std::vector<Variation> variations_;
};

}  // namespace

std::vector<Candidate> make_candidates(const Model& model, std::span<const Want> wants,
                                       std::span<const std::vector<NamedTensor>> samples, std::uint64_t seed,
                                       std::size_t count) {
  std::vector<Candidate> candidates;
  if (wants.empty() || samples.empty() || model.proto == nullptr) return candidates;
  Maker maker(model, wants, samples, seed);
  for (std::size_t number = 0; number < count; ++number) {
    if (auto candidate = maker.make(number)) candidates.push_back(std::move(*candidate));
  }
  return candidates;
}

}  // namespace culprit
