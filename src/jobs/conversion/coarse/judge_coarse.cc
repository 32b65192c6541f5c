#include "conversion/coarse/judge_coarse.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr double most_times_honest = 3;
constexpr double most_apart_coarsely = 0.1;

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

}  // namespace

bool is_within_honest(const OutputErrors& found, const OutputErrors& honest) {
  return !found.empty() && std::ranges::all_of(found, [&](const auto& error) {
    const auto known = honest.find(error.first);
    return known != honest.end() && error.second <= most_times_honest * known->second;
  });
}

Result<std::optional<CoarseVerdict>> judge_coarse(const BothSides& sides, const ConversionMap& map,
                                                  const std::vector<ValueMatch>& wrong_outputs) {
  const CoarseTypes types = beyond_source(coarse_types_of(sides.target.network(), sides.target.sketches),
                                          coarse_types_of(sides.source.network(), sides.source.sketches));
  if (!types.is_any()) return std::nullopt;
  CoarseVerdict verdict{types, true, "the target has " + to_string(types), {}, {}};
  if (wrong_outputs.empty()) return verdict;
  auto honest = honest_errors(sides, map, types, wrong_outputs);
  if (!honest) return tl::unexpected(honest.error());
  auto found = errors_of_target(sides, wrong_outputs, {});
  if (!found) return tl::unexpected(found.error());
  verdict.honest = std::move(*honest);
  verdict.found = std::move(*found);
  verdict.is_within = is_within_honest(verdict.found, verdict.honest);
  for (const auto& [output, error] : verdict.found) {
    const std::string name = printable(sides.source.network().values[as_index(output)].name, 60);
    const auto known = verdict.honest.find(output);
    verdict.message +=
        known == verdict.honest.end()
            ? fmt::format("; '{}' is off by {:.2g} (rms), and the source rounded likewise does not run", name, error)
            : fmt::format("; '{}' is off by {:.2g} (rms), where the source rounded likewise is off by {:.2g}", name,
                          error, known->second);
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
