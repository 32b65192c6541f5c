#include "conversion/coarse/coarse_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/as_index.h"
#include "conversion/coarse/honest_rounding.h"

namespace culprit {

void SquaredError::add(const Tensor& right, const Tensor& found) {
  if (right.count() != found.count()) is_comparable = false;
  if (!is_comparable) return;
  for (std::int64_t i = 0; i < right.count(); ++i) {
    const double off = found.number(i) - right.number(i);
    sum += std::isnan(off) && std::isnan(right.number(i)) ? 0 : off * off;
    ++elements;
  }
}

double SquaredError::rms() const {
  if (!is_comparable || std::isnan(sum)) return std::numeric_limits<double>::infinity();
  return elements == 0 ? 0 : std::sqrt(sum / static_cast<double>(elements));
}

namespace {

/// An output of all samples of a run, in real numbers; empty where it is not there.
std::vector<Tensor> output_of(const OutputsBySample& given, const Network& network, int value) {
  const auto place = std::ranges::find(network.outputs, value) - network.outputs.begin();
  std::vector<Tensor> found;
  for (const auto& sample : given) {
    if (place >= std::ssize(sample)) continue;
    NetworkValue stored = network.values[as_index(value)];
    stored.constant = sample[static_cast<std::size_t>(place)].value;
    const auto real = is_integer(stored.constant->dtype()) ? real_constant(stored) : Result<Tensor>(*stored.constant);
    found.push_back(real ? *real : *stored.constant);
  }
  return found;
}

/// `outputs`: their targets are values of this network. `given`: by sample, its outputs.
Result<OutputErrors> errors_in(const BothSides& sides, const Network& network, const std::vector<ValueMatch>& outputs,
                               const OutputsBySample& given) {
  OutputErrors errors;
  for (const ValueMatch& output : outputs) {
    const auto right = sides.source_on_all.of(output.source);
    if (!right) return tl::unexpected(right.error());
    const auto found = output_of(given, network, output.target);
    SquaredError error;
    const auto brought = found.empty() ? std::nullopt : brought_to_source(pair_of(output, *right, found), found);
    error.is_comparable = brought.has_value();
    for (std::size_t i = 0; brought && i < brought->size() && i < right->size(); ++i)
      error.add((*right)[i], (*brought)[i]);
    errors[output.source] = error.rms();
  }
  return errors;
}

/// One run of a side under `view`.
Result<OutputErrors> errors_of_run(const BothSides& sides, ReadSide& side, const SideView& view,
                                   const std::vector<ValueMatch>& outputs) {
  const auto ran = side.runs.run(view, side.samples);
  if (!ran) return tl::unexpected(ran.error());
  return ran->has_run ? errors_in(sides, side.network(), outputs, ran->outputs) : OutputErrors();
}

}  // namespace

Result<OutputErrors> honest_errors(const BothSides& sides, const ConversionMap& map, const CoarseTypes& types,
                                   const std::vector<ValueMatch>& outputs) {
  ReadSide& source = sides.source;
  SideView view;
  view.edits = honest_rounding(source.ways, map, types, source.sketches);
  std::vector<ValueMatch> own;
  own.reserve(outputs.size());
  for (const ValueMatch& output : outputs) own.push_back({output.source, output.source, {}, FoundBy::binding});
  return errors_of_run(sides, source, view, own);
}

Result<OutputErrors> errors_of_outputs(const BothSides& sides, const std::vector<ValueMatch>& outputs,
                                       const OutputsBySample& given) {
  return errors_in(sides, sides.target.network(), outputs, given);
}

Result<OutputErrors> errors_of_target(const BothSides& sides, const std::vector<ValueMatch>& outputs,
                                      const std::vector<Edit>& edits) {
  SideView view;
  view.edits = edits;
  return errors_of_run(sides, sides.target, view, outputs);
}

}  // namespace culprit
