#include "conversion/coarse/judge_coarse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/coarse/honest_rounding.h"

namespace culprit {
namespace {

constexpr double most_times_honest = 3;
constexpr double most_apart_coarsely = 0.1;

/// Sums of squared differences, over all samples.
struct SquaredError {
  double sum = 0;
  std::int64_t elements = 0;
  bool is_comparable = true;

  void add(const Tensor& right, const Tensor& found) {
    if (right.count() != found.count()) is_comparable = false;
    if (!is_comparable) return;
    for (std::int64_t i = 0; i < right.count(); ++i) {
      const double off = found.number(i) - right.number(i);
      sum += std::isnan(off) && std::isnan(right.number(i)) ? 0 : off * off;
      ++elements;
    }
  }
  /// Infinite where the two cannot be held against each other.
  [[nodiscard]] double rms() const {
    if (!is_comparable || std::isnan(sum)) return std::numeric_limits<double>::infinity();
    return elements == 0 ? 0 : std::sqrt(sum / static_cast<double>(elements));
  }
};

class RoughJudge : public ValueJudge {
 public:
  Result<JudgedPair> judge(const ValuePair& pair) override { return first_look(pair); }
  [[nodiscard]] JudgedPair first_look(const ValuePair& pair) const override {
    const auto brought = brought_to_source(pair, pair.of_target);
    if (!brought) return JudgedPair{};
    for (std::size_t i = 0; i < brought->size(); ++i) {
      const auto one = cast(pair.of_source[i], DType::f32), other = cast((*brought)[i], DType::f32);
      if (!one || !other || distance(one->as<float>(), other->as<float>()) > most_apart_coarsely) return JudgedPair{};
    }
    return JudgedPair{Likeness::equal, {}};
  }
};

bool is_narrower(DType type, DType than) {
  return type != DType::undefined && (than == DType::undefined || bits_of(type) < bits_of(than));
}

/// What of the target's types is narrower than the source's.
CoarseTypes beyond_source(CoarseTypes target, const CoarseTypes& source) {
  if (!is_narrower(target.weights, source.weights)) target.weights = DType::undefined;
  if (!is_narrower(target.values, source.values)) target.values = DType::undefined;
  return target;
}

/// What each output of the source is off when it is rounded honestly, by value; empty: the rounded source does not run.
Result<std::map<int, SquaredError>> honest_errors(const BothSides& sides, const ConversionMap& map,
                                                  const CoarseTypes& types, const std::vector<ValueMatch>& outputs) {
  ReadSide& source = sides.source;
  SideView view;
  view.edits = honest_rounding(source.ways, map, types, source.sketches);
  const auto ran = source.runs.run(view, source.samples);
  if (!ran) return tl::unexpected(ran.error());
  std::map<int, SquaredError> errors;
  if (!ran->has_run) return errors;
  for (const ValueMatch& output : outputs) {
    const auto right = sides.source_on_all.of(output.source);
    if (!right) return tl::unexpected(right.error());
    const auto place = std::ranges::find(source.network().outputs, output.source) - source.network().outputs.begin();
    for (std::size_t i = 0; i < right->size() && i < ran->outputs.size(); ++i)
      errors[output.source].add((*right)[i], ran->outputs[i].at(static_cast<std::size_t>(place)).value);
  }
  return errors;
}

Result<SquaredError> error_of_target(const BothSides& sides, const ValueMatch& output) {
  const auto right = sides.source_on_all.of(output.source);
  if (!right) return tl::unexpected(right.error());
  auto elements = sides.target.elements(sides.target.task(true));
  const auto found = elements->of(output.target);
  if (!found) return tl::unexpected(found.error());
  SquaredError error;
  const auto brought = brought_to_source(pair_of(output, *right, *found), *found);
  error.is_comparable = brought.has_value();
  for (std::size_t i = 0; brought && i < brought->size(); ++i) error.add((*right)[i], (*brought)[i]);
  return error;
}

}  // namespace

Result<std::optional<CoarseVerdict>> judge_coarse(const BothSides& sides, const ConversionMap& map,
                                                  const std::vector<ValueMatch>& wrong_outputs) {
  const CoarseTypes types = beyond_source(coarse_types_of(sides.target.network(), sides.target.sketches),
                                          coarse_types_of(sides.source.network(), sides.source.sketches));
  if (!types.is_any()) return std::nullopt;
  CoarseVerdict verdict{types, true, "the target has " + to_string(types)};
  if (wrong_outputs.empty()) return verdict;
  auto honest = honest_errors(sides, map, types, wrong_outputs);
  if (!honest) return tl::unexpected(honest.error());
  for (const ValueMatch& output : wrong_outputs) {
    const auto error = error_of_target(sides, output);
    if (!error) return tl::unexpected(error.error());
    const std::string name = printable(sides.source.network().values[as_index(output.source)].name, 60);
    const auto known = honest->find(output.source);
    if (known == honest->end()) {
      verdict.is_within = false;
      verdict.message += fmt::format("; '{}' is off by {:.2g} (rms), and the source rounded likewise does not run",
                                     name, error->rms());
      continue;
    }
    if (!(error->rms() <= most_times_honest * known->second.rms())) verdict.is_within = false;
    verdict.message += fmt::format("; '{}' is off by {:.2g} (rms), where the source rounded likewise is off by {:.2g}",
                                   name, error->rms(), known->second.rms());
  }
  return verdict;
}

Result<ValueMatches> match_coarsely(const BothSides& sides, const std::vector<ValueMatch>& inputs) {
  ValueMatches known;
  for (const ValueMatch& input : inputs) known.emplace(input.source, input);
  RoughJudge judge;
  auto elements = sides.target.elements_on_map();
  MatchTask task{sides.source.ways,
                 sides.target.ways,
                 sides.source.sketches,
                 sides.target.sketches,
                 sides.source_on_map,
                 *elements,
                 judge};
  task.most_apart = most_apart_coarsely;
  return match_values(task, known);
}

}  // namespace culprit
