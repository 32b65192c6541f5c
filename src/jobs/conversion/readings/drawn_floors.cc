#include "conversion/readings/drawn_floors.h"

#include <algorithm>
#include <optional>

#include "base/as_index.h"
#include "judge/draw_need.h"
#include "judge/draw_results.h"

namespace culprit {
namespace {

JudgedPair of_another_form(const ValuePair& pair) {
  if (pair.of_source.empty() || pair.of_target.empty()) return {};
  const Tensor& source = pair.of_source.front();
  return {Likeness::differs,
          unlike(source, FormChange::shape,
                 "shape " + to_string(source.shape()) + " became " + to_string(pair.of_target.front().shape())),
          {}};
}

Likeness likeness_of(const Measurement& measurement) {
  switch (verdict_of(measurement)) {
    case Verdict::unchanged:
    case Verdict::equivalent:
      return Likeness::equal;
    case Verdict::deviates:
      return Likeness::drifts;
    default:
      return Likeness::differs;
  }
}

/// The worst over the samples. `of_variant`: empty, or one for each sample.
JudgedPair judged(const ValuePair& pair, const std::vector<Tensor>& brought, const std::vector<Explained>& explained,
                  const Tolerance& tolerance, const std::vector<Explained>& of_variant = {}) {
  std::optional<Measurement> worst;
  std::vector<JudgedSample> by_sample;
  for (std::size_t i = 0; i < brought.size(); ++i) {
    Rounding rounding;
    rounding.explained = &explained[i];
    rounding.forgives = true;
    if (!of_variant.empty()) rounding.of_variant = &of_variant[i];
    const Measurement here = measure(pair.of_source[i], brought[i], tolerance, rounding);
    by_sample.push_back({likeness_of(here), here.max_abs});
    worst = worst ? worse(*worst, here) : here;
  }
  if (!worst) return {};
  return {likeness_of(*worst), *worst, std::move(by_sample)};
}

std::vector<Explained> explained_by(std::span<const Tensor> references, const std::vector<Drawn>& drawn) {
  std::vector<Explained> explained;
  explained.reserve(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) explained.push_back(explain(references[i], drawn[i]));
  return explained;
}

std::vector<Drawn> without_draws(std::span<const Tensor> references, Nature nature) {
  std::vector<Drawn> drawn(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) drawn[i].nature = nature_for(references[i].dtype(), nature);
  return drawn;
}

std::uint64_t bytes_of_draws(std::span<const Tensor> references) {
  std::uint64_t bytes = 0;
  for (const Tensor& tensor : references) bytes += 9 * static_cast<std::uint64_t>(tensor.count());
  return bytes;
}

}  // namespace

std::optional<std::vector<Tensor>> brought_to_source(const ValuePair& pair, std::span<const Tensor> of_target) {
  if (of_target.size() != pair.of_source.size()) return std::nullopt;
  std::vector<Tensor> brought;
  brought.reserve(of_target.size());
  for (std::size_t i = 0; i < of_target.size(); ++i) {
    const Tensor& source = pair.of_source[i];
    auto tensor = pair.bring_back ? pair.bring_back(of_target[i], source.shape()) : Result<Tensor>(of_target[i]);
    if (tensor && tensor->dtype() != source.dtype()) tensor = cast(*tensor, source.dtype());
    if (!tensor || tensor->shape() != source.shape()) return std::nullopt;
    brought.push_back(std::move(*tensor));
  }
  return brought;
}

JudgedPair PlainJudge::first_look(const ValuePair& pair) const {
  const auto brought = brought_to_source(pair, pair.of_target);
  if (!brought) return of_another_form(pair);
  return judged(pair, *brought, explained_by(pair.of_source, without_draws(pair.of_source, Nature::smooth)),
                tolerance_);
}

DrawnFloors::DrawnFloors(const FloorOptions& options, DrawsOf source, DrawsOf target,
                         std::function<Nature(int)> natures)
    : options_(options),
      natures_(std::move(natures)),
      source_{.make = std::move(source)},
      target_{.make = std::move(target)} {}

void DrawnFloors::change_target(DrawsOf target) { target_ = {.make = std::move(target)}; }

Result<std::vector<Tensor>> DrawnFloors::draw(Draws& of, int number, int value) {
  while (std::ssize(of.elements) <= number)
    of.elements.push_back(of.make(perturbation_of_draw(static_cast<int>(of.elements.size()))));
  ++made_;
  return of.elements[as_index(number)]->of(value);
}

DrawnFloors::DrawnValue& DrawnFloors::known_of(const ValuePair& pair) {
  if (const auto known = known_.find(pair.source); known != known_.end()) return known->second;
  kept_bytes_ += bytes_of_draws(pair.of_source);
  if (kept_bytes_ > most_kept_bytes) {
    known_.clear();
    kept_bytes_ = bytes_of_draws(pair.of_source);
  }
  const Nature nature = natures_ ? natures_(pair.source) : Nature::smooth;
  return known_[pair.source] = {.by_sample = without_draws(pair.of_source, nature)};
}

Result<void> DrawnFloors::add_source_draws(const ValuePair& pair, DrawnValue& known, int to) {
  for (; known.asked < to; ++known.asked) {
    const auto moved = draw(source_, known.asked, pair.source);
    if (!moved) return tl::unexpected(moved.error());
    for (std::size_t i = 0; i < known.by_sample.size(); ++i) {
      if (i < moved->size())
        add_draw(known.by_sample[i], pair.of_source[i], (*moved)[i], ulps_of_draw(known.asked));
      else
        ++known.by_sample[i].discarded;
    }
  }
  return {};
}

Result<std::vector<Explained>> DrawnFloors::explained_of_target(const ValuePair& pair,
                                                                const std::vector<Tensor>& brought) {
  const Nature nature = natures_ ? natures_(pair.source) : Nature::smooth;
  std::vector<Drawn> drawn = without_draws(brought, nature);
  for (int number = 0; number < options_.draws; ++number) {
    const auto moved = draw(target_, number, pair.target);
    if (!moved) return tl::unexpected(moved.error());
    const auto moved_brought = brought_to_source(pair, *moved);
    for (std::size_t i = 0; i < brought.size(); ++i) {
      if (moved_brought)
        add_draw(drawn[i], brought[i], (*moved_brought)[i], ulps_of_draw(number));
      else
        ++drawn[i].discarded;
    }
  }
  return explained_by(brought, drawn);
}

JudgedPair DrawnFloors::first_look(const ValuePair& pair) const {
  const auto brought = brought_to_source(pair, pair.of_target);
  if (!brought) return of_another_form(pair);
  const auto known = known_.find(pair.source);
  const Nature nature = natures_ ? natures_(pair.source) : Nature::smooth;
  return judged(pair, *brought,
                explained_by(pair.of_source,
                             known == known_.end() ? without_draws(pair.of_source, nature) : known->second.by_sample),
                options_.tolerance);
}

/// Few draws of the source come first, then those of the target, for these two explain most; then more of the source.
Result<JudgedPair> DrawnFloors::judge(const ValuePair& pair) {
  const auto brought = brought_to_source(pair, pair.of_target);
  if (!brought) return of_another_form(pair);
  DrawnValue& known = known_of(pair);
  std::vector<Explained> explained = explained_by(pair.of_source, known.by_sample), of_variant;
  JudgedPair found = judged(pair, *brought, explained, options_.tolerance);
  const bool may_ask_target = target_.make && options_.draws > 0;
  bool is_target_asked = !may_ask_target;
  while (found.likeness != Likeness::equal) {
    const int needed = source_draws_needed(found, explained, known);
    const bool is_first = known.asked < options_.draws;
    if (needed > known.asked && (is_first || is_target_asked)) {
      if (auto ok = add_source_draws(pair, known, is_first ? options_.draws : needed); !ok)
        return tl::unexpected(ok.error());
      explained = explained_by(pair.of_source, known.by_sample);
      is_target_asked = !may_ask_target || !of_variant.empty();  // it may be the target's by more draws of the source
    } else if (!is_target_asked) {
      is_target_asked = true;
      if (!may_be_the_targets(pair, found, explained)) continue;
      auto drawn = explained_of_target(pair, *brought);
      if (!drawn) return tl::unexpected(drawn.error());
      of_variant = std::move(*drawn);
    } else {
      break;
    }
    found = judged(pair, *brought, explained, options_.tolerance, of_variant);
  }
  return found;
}

/// None where the source is not drawn.
int DrawnFloors::source_draws_needed(const JudgedPair& found, const std::vector<Explained>& explained,
                                     const DrawnValue& known) const {
  if (!source_.make || options_.draws == 0) return 0;
  double stands_out = 1;
  for (const Explained& sample : explained) stands_out = std::max(stands_out, sample.stands_out());
  return draws_needed(found.measurement, stands_out, known.asked, false, options_.most_draws).draws;
}

/// May draws of the target explain what is off?
bool DrawnFloors::may_be_the_targets(const ValuePair& pair, const JudgedPair& found,
                                     const std::vector<Explained>& explained) const {
  if (is_structural(found.measurement)) return false;
  return found.likeness != Likeness::differs || std::ranges::any_of(explained, [&](const Explained& sample) {
           return may_be_of_variant(found.measurement, pair.of_source.front().dtype(), options_.tolerance, sample);
         });
}

Perturbation perturbation_of_draw(int number) {
  return {.seed = static_cast<std::uint64_t>(number) + 1, .ulps = ulps_of_draw(number)};
}

}  // namespace culprit
