#include "conversion/walk/rough_matches.h"

#include <algorithm>
#include <set>

#include "conversion/map/parameter_order.h"
#include "conversion/number_profile.h"

namespace culprit {
namespace {

constexpr double most_apart_sorted = 0.6;
constexpr std::size_t fewest_of_kernel = 9;

struct RoughPair {
  double apart = 0;
  std::size_t source = 0, target = 0;
};

bool is_kernel(const std::string& role, const TensorOfNumbers& tensor) {
  return (role == "kernel" || role == "recurrence" || role == "table") && tensor.numbers.size() >= fewest_of_kernel;
}

/// Is a part of it found already, in whatever form?
bool is_replaced_by(const DerivedTensor& one, const DerivedTensor& other) {
  return std::ranges::any_of(one.stands_for, [&](const ReplacedParameter& part) {
    return std::ranges::any_of(other.stands_for, [&](const ReplacedParameter& found) { return found.overlaps(part); });
  });
}

}  // namespace

void add_rough_matches(ConversionMap& map) {
  std::set<std::size_t> taken;
  const auto take = [&](std::size_t target) {
    taken.insert(target);
    for (std::size_t other = 0; other < map.target_parameters.size(); ++other)
      if (shares_a_part(map.target_parameters[target], map.target_parameters[other])) taken.insert(other);
  };
  for (const ParameterMatch& match : map.parameters) take(match.target);
  const auto is_open = [&](std::size_t source) {
    return std::ranges::none_of(map.parameters, [&](const ParameterMatch& match) {
      return match.source == source || is_replaced_by(map.derived[source], map.derived[match.source]);
    });
  };
  std::vector<RoughPair> pairs;
  for (std::size_t target = 0; target < map.target_parameters.size(); ++target) {
    const TargetParameter& other = map.target_parameters[target];
    if (taken.contains(target) || !is_kernel(other.role, other.tensor)) continue;
    const NumberProfile profile(other.tensor.numbers);
    for (std::size_t source = 0; source < map.derived.size(); ++source) {
      const DerivedTensor& one = map.derived[source];
      if (!is_kernel(one.role, one.tensor) || one.tensor.numbers.size() != other.tensor.numbers.size()) continue;
      if (!is_open(source) || (!one.is_stored() && !other.is_stored())) continue;
      const double apart = NumberProfile(one.tensor.numbers).distance(profile);
      if (apart <= most_apart_sorted) pairs.push_back({apart, source, target});
    }
  }
  std::ranges::stable_sort(pairs, {}, &RoughPair::apart);
  for (const RoughPair& pair : pairs) {
    if (taken.contains(pair.target) || !is_open(pair.source)) continue;
    const DerivedTensor& one = map.derived[pair.source];
    const TargetParameter& other = map.target_parameters[pair.target];
    const auto order = expected_order(one, other);
    const auto orders = axis_orders(one.tensor.shape, other.tensor.shape);
    if (!order && orders.empty()) continue;
    take(pair.target);
    ParameterMatch& match = map.parameters.emplace_back();
    match.source = pair.source;
    match.target = pair.target;
    match.kind = TensorMatch::Kind::scrambled;
    match.order = match.expected = order ? *order : orders.front();
    match.distance = pair.apart;
    describe(match, one, other);
  }
  std::ranges::sort(map.parameters, {}, &ParameterMatch::source);
}

}  // namespace culprit
