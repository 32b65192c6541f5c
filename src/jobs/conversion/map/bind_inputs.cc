#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/bind_sides.h"
#include "conversion/map/input_orders.h"
#include "conversion/map/named_pairs.h"

namespace culprit {
namespace {

constexpr std::size_t most_bindings = 24, most_attempts = 12;

std::string named_input(const Network& network, int place) {
  return "'" + printable(network.values[as_index(network.inputs[as_index(place)])].name, 60) + "'";
}

/// One of the ways to bind all inputs: for each of the source's the target's place (-1: none) and an order.
struct InputPlan {
  std::vector<int> places;
  std::vector<ValueOrder> orders;
};

class InputBinder {
 public:
  InputBinder(const InputsSeen& seen, std::vector<std::pair<int, int>> pairs)
      : seen_(seen), pairs_(std::move(pairs)), samples_(seen.source.inputs.size()) {
    for (const auto& sample : seen.samples)
      for (std::size_t input = 0; input < samples_.size() && input < sample.size(); ++input)
        samples_[input].push_back(sample[input]);
  }

  /// All ways that shapes and types allow, the likeliest first.
  Result<std::vector<InputPlan>> plans() {
    for (const auto& [one, other] : pairs_)
      if (orders_of(one, other).empty())
        return fail(
            ErrorKind::bad_input,
            fmt::format("input {} of the source does not fit input {} of the target: {} and {}",
                        named_input(seen_.source, one), named_input(seen_.target, other),
                        samples_[as_index(one)].empty() ? "no samples" : to_string(samples_[as_index(one)][0].shape()),
                        to_string(seen_.target.values[as_index(seen_.target.inputs[as_index(other)])].dims)),
            "say which input is which with --map SOURCE_NAME=TARGET_NAME");
    InputPlan plan;
    plan.places.assign(seen_.source.inputs.size(), -1);
    plan.orders.resize(seen_.source.inputs.size());
    taken_.assign(seen_.target.inputs.size(), false);
    extend(plan, 0);
    if (found_.empty())
      return fail(ErrorKind::bad_input,
                  "no input of the source fits each input of the target: the two have nothing in "
                  "common",
                  "say which input is which with --map SOURCE_NAME=TARGET_NAME");
    return std::move(found_);
  }

  [[nodiscard]] std::vector<ValueMatch> matches(const InputPlan& plan) const {
    std::vector<ValueMatch> made;
    for (std::size_t input = 0; input < plan.places.size(); ++input)
      if (plan.places[input] >= 0)
        made.push_back({seen_.source.inputs[input], seen_.target.inputs[as_index(plan.places[input])],
                        plan.orders[input], FoundBy::binding});
    return made;
  }

 private:
  [[nodiscard]] std::vector<ValueOrder> orders_of(int source, int target) const {
    return input_orders(samples_[as_index(source)],
                        seen_.target.values[as_index(seen_.target.inputs[as_index(target)])]);
  }

  [[nodiscard]] int paired_with(std::size_t source) const {
    const auto pair = std::ranges::find(pairs_, static_cast<int>(source), &std::pair<int, int>::first);
    return pair == pairs_.end() ? -1 : pair->second;
  }
  [[nodiscard]] bool is_paired_target(int target) const {
    return std::ranges::find(pairs_, target, &std::pair<int, int>::second) != pairs_.end();
  }

  void extend(InputPlan& plan, std::size_t source) {
    if (found_.size() >= most_bindings) return;
    if (source == plan.places.size()) {
      if (std::ranges::all_of(taken_, [](bool is_taken) { return is_taken; })) found_.push_back(plan);
      return;
    }
    const int pair = paired_with(source);
    bool is_bound = false;
    for (std::size_t at = 0; at < taken_.size(); ++at) {
      // Where nothing tells inputs apart, the one at the same place comes first.
      const auto target = static_cast<int>((at + source) % taken_.size());
      if (taken_[as_index(target)] || (pair >= 0 ? target != pair : is_paired_target(target))) continue;
      for (const ValueOrder& order : orders_of(static_cast<int>(source), target)) {
        is_bound = true;
        plan.places[source] = target;
        plan.orders[source] = order;
        taken_[as_index(target)] = true;
        extend(plan, source + 1);
        taken_[as_index(target)] = false;
      }
    }
    plan.places[source] = -1;
    plan.orders[source] = {};
    if (!is_bound || plan.places.size() > taken_.size()) extend(plan, source + 1);
  }

  const InputsSeen& seen_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<std::vector<Tensor>> samples_;  // by the source's input
  std::vector<bool> taken_;
  std::vector<InputPlan> found_;
};

struct BestPlan {
  std::size_t plan = 0;
  double share = -1;
  bool is_alone = true;  // no other assignment of inputs does as well
};

Result<BestPlan> best_of(const std::vector<InputPlan>& plans, const InputBinder& binder, const TryInputs& attempt) {
  BestPlan best;
  for (std::size_t i = 0; i < plans.size() && i < most_attempts; ++i) {
    const auto share = attempt(binder.matches(plans[i]));
    if (!share) return tl::unexpected(share.error());
    if (i > 0 && *share == best.share && plans[i].places != plans[best.plan].places) best.is_alone = false;
    if (i > 0 && *share <= best.share) continue;
    best = {i, *share, true};
  }
  return best;
}

void list_unbound(SideBinding& binding, const InputsSeen& seen, const InputPlan& plan) {
  for (std::size_t input = 0; input < plan.places.size(); ++input)
    if (plan.places[input] < 0)
      binding.unbound.push_back(
          fmt::format("input {} of the source", named_input(seen.source, static_cast<int>(input))));
}

}  // namespace

Result<SideBinding> bind_inputs_of_sides(const InputsSeen& seen, const TryInputs& attempt) {
  auto by_map = pairs_of_map(seen.source, seen.target, seen.map);
  if (!by_map) return tl::unexpected(by_map.error());
  InputBinder binder(seen, pairs_of_names(seen.source, seen.source.inputs, seen.target, seen.target.inputs,
                                          std::move(by_map->inputs)));
  const auto plans = binder.plans();
  if (!plans) return tl::unexpected(plans.error());
  BestPlan best;
  if (plans->size() > 1) {
    const auto found = best_of(*plans, binder, attempt);
    if (!found) return tl::unexpected(found.error());
    best = *found;
  }
  SideBinding binding;
  const InputPlan& plan = (*plans)[best.plan];
  binding.inputs = binder.matches(plan);
  list_unbound(binding, seen, plan);
  if (!best.is_alone)
    binding.warnings.push_back({"binding_by_position",
                                "the inputs of the target have other names, and nothing tells which is which: they are "
                                "taken by their position. "
                                "--map SOURCE_NAME=TARGET_NAME says it"});
  return binding;
}

}  // namespace culprit
