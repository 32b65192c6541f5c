#include "conversion/runs/judged_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/readings/hidden_faults.h"
#include "conversion/runs/bound_output.h"

namespace culprit {
namespace {

/// The errors of one more output on the samples join those of the outputs before it. An output of another form is
/// infinitely far off on all `count` samples.
void take_samples(const JudgedPair& judged, bool is_strict, std::size_t count, std::vector<SampleError>& samples) {
  samples.resize(std::max(samples.size(), count));
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_of_form = i < judged.by_sample.size();
    const JudgedSample one =
        is_of_form ? judged.by_sample[i] : JudgedSample{judged.likeness, judged.measurement.max_abs};
    samples[i].max_abs = std::max(samples[i].max_abs, one.max_abs);
    const bool is_beyond_floor = one.likeness != Likeness::equal;
    const bool is_wrong = one.likeness == Likeness::differs || (is_strict && is_beyond_floor);
    samples[i].is_beyond_floor = samples[i].is_beyond_floor || is_beyond_floor;
    samples[i].is_wrong = samples[i].is_wrong || is_wrong;
  }
}

}  // namespace

double largest_error(const std::vector<SampleError>& samples) {
  double most = 0;
  for (const SampleError& sample : samples) most = std::max(most, sample.max_abs);
  return most;
}

TargetOutputs outputs_of_run(const Network& target, const OutputsBySample& given) {
  return [known = values_of_outputs(target, given)](int value) -> Result<std::vector<Tensor>> {
    const auto found = known.find(value);
    return found == known.end() ? std::vector<Tensor>() : found->second;
  };
}

double JudgedOutputs::error() const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto is_missing = [](const ValueMatch& match) { return match.measurement.elements == 0; };
  if (std::ranges::any_of(wrong, is_missing)) return infinite;
  return largest_error(samples);
}

Result<JudgedOutputs> judge_all_outputs(const BothSides& sides, const std::vector<ValueMatch>& outputs,
                                        const TargetOutputs& target, DrawnFloors::DrawsOf draws, std::size_t samples,
                                        bool is_strict) {
  ReadSide& source = sides.source;
  DrawnFloors floors(source.options.floors, source.draws(true), std::move(draws),
                     [&](int value) { return source.side.nature_of(value); });
  JudgedOutputs made;
  for (ValueMatch output : outputs) {
    const auto one = sides.source_on_all.of(output.source), other = target(output.target);
    if (!one) return tl::unexpected(one.error());
    if (!other) return tl::unexpected(other.error());
    if (one->empty() || other->empty()) {
      if (other->empty()) made.wrong.push_back(output);
      made.told.push_back(bound_output(output, sides, {}));
      continue;
    }
    const auto judged = floors.judge(pair_of(output, *one, *other));
    if (!judged) return tl::unexpected(judged.error());
    output.measurement = judged->measurement;
    take_samples(*judged, is_strict, samples, made.samples);
    const bool is_wrong = judged->likeness == Likeness::differs || (is_strict && judged->likeness == Likeness::drifts);
    if (is_wrong) made.wrong.push_back(output);
    if (!is_wrong && made.weak.empty() && hides_faults(judged->measurement, *one))
      made.weak =
          fmt::format("'{}' is off by {:.2g}, and rounding alone moves it as far: give it other data (--data)",
                      printable(source.network().values[as_index(output.source)].name), judged->measurement.max_abs);
    made.told.push_back(bound_output(output, sides, judged->measurement));
  }
  return made;
}

}  // namespace culprit
