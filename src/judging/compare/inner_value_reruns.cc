// Values that differ: made again by B's nodes from A's values, and those that were held against something else.
#include <algorithm>
#include <deque>
#include <unordered_set>

#include "base/as_index.h"
#include "compare/inner_values.h"
#include "model/expose_values.h"
#include "model/graph_regions.h"

namespace culprit {
namespace {

/// Nodes that are looked at behind a value, to see whether what is made of it differs as well.
constexpr std::size_t most_behind = 64;
/// Doubtful values that are looked at so; what differs and does not matter is rare.
constexpr std::size_t most_reruns = 32;

}  // namespace

std::optional<std::vector<FedTensors>> InnerValues::fed_for(const Values& differing, const Reading& reading) const {
  Values mates;
  for (const int value : differing) mates.push_back(graphs_.map.to_b[as_index(value)]);
  std::vector<FedTensors> fed;
  for (const int border : region_before(graphs_.index_b, mates, is_cut_).borders) {
    FedTensors tensors{graphs_.name_b(border), {}};
    for (const Pack& pack : reading.a) {
      const Tensor* tensor = pack.find(graphs_.name_a(a_of_[as_index(border)]));
      if (tensor == nullptr) return std::nullopt;
      auto casted = as_type(*tensor, dtype_b_[as_index(border)]);
      if (!casted) return std::nullopt;
      tensors.by_sample.push_back(std::move(*casted));
    }
    fed.push_back(std::move(tensors));
  }
  return fed;
}

Result<void> InnerValues::make_alone(const Values& differing, const Reading& reading, const Noise& noise) {
  Values computed;
  for (const int value : differing) {
    const int mate = graphs_.map.to_b[as_index(value)];
    if (is_computed(graphs_.index_b, mate))
      computed.push_back(value);
    else  // nothing comes before a constant
      values_[as_index(value)].state = ValueState::made_here,
      values_[as_index(value)].alone = values_[as_index(value)].measurement.max_abs;
  }
  const auto fed = fed_for(computed, reading);
  std::vector<std::string> wanted;
  for (const int value : computed) wanted.push_back(graphs_.name_b(graphs_.map.to_b[as_index(value)]));
  if (!fed || wanted.empty()) return {};
  const auto made = regions_.run(wanted, *fed, samples_.inputs);
  if (!made) return tl::unexpected(made.error());
  if (!*made && computed.size() > 1) {
    const auto middle = computed.begin() + static_cast<std::ptrdiff_t>(computed.size() / 2);
    if (++failures_ > most_failures) return {};
    if (auto ok = make_alone(Values(computed.begin(), middle), reading, noise); !ok) return ok;
    return make_alone(Values(middle, computed.end()), reading, noise);
  }
  if (!*made) return {};
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const std::string name = graphs_.name_a(computed[i]);
    std::optional<Measurement> worst;
    for (std::size_t sample = 0; sample < reading.a.size(); ++sample) {
      const Tensor& reference = *reading.a[sample].find(name);
      const auto casted = as_type((**made)[sample][i], reference.dtype());
      const Measurement here =
          measure(reference, casted.value_or((**made)[sample][i]), options_.tolerance, noise.at(name).rounding(sample));
      worst = worst ? worse(*worst, here) : here;
    }
    InnerValue& known = values_[as_index(computed[i])];
    known.alone = worst->max_abs;
    known.state = verdict_of(*worst) == Verdict::equivalent ? ValueState::inherited : ValueState::made_here;
  }
  return {};
}

bool InnerValues::differs(int value) const {
  const ValueState state = values_[as_index(value)].state;
  return state == ValueState::made_here || state == ValueState::inherited || state == ValueState::unclear;
}

/// The values that differ and are made of this one, itself first, and those behind them that do not.
InnerValues::Reach InnerValues::reach_of(int value) const {
  Reach reach;
  std::unordered_set<int> seen = {value};
  std::deque<int> open = {value};
  while (!open.empty() && seen.size() < most_behind) {
    const int from = open.front();
    open.pop_front();
    reach.differing.push_back(from);
    const auto behind = cut_values_behind(graphs_.index_b, graphs_.map.to_b[as_index(from)], is_cut_, most_behind);
    const bool is_output = std::ranges::any_of(graphs_.bound.outputs, [&](const auto& o) { return o.first == from; });
    reach.is_closed = reach.is_closed && !behind.empty() && !is_output;
    for (const int made : behind) {
      const int next = a_of_[as_index(made)];
      if (!seen.insert(next).second) continue;
      if (differs(next))
        open.push_back(next);
      else
        reach.equal.push_back(next);
    }
  }
  reach.is_closed = reach.is_closed && open.empty();
  return reach;
}

/// A value that was mapped by name or position and differs, while what follows does not: either that hides the
/// difference, or it was held against one that means something else, such as the result of a convolution before and
/// after a normalization was folded into it. Then B's next nodes make something wrong of A's values.
Result<void> InnerValues::find_unlike() {
  std::size_t looks = 0;
  for (const int value : targets_) {
    const MappedBy by = graphs_.map.by[as_index(value)];
    const int mate = graphs_.map.to_b[as_index(value)];
    if (!differs(value) || (by != MappedBy::name && by != MappedBy::position)) continue;
    const Reach reach = reach_of(value);
    if (!reach.is_closed || ++looks > most_reruns) continue;
    if (is_cut_[as_index(mate)]) {  // what is constant is not fed
      const auto contradicted = is_contradicted(reach.equal);
      if (!contradicted) return tl::unexpected(contradicted.error());
      if (!*contradicted) continue;
    }
    for (const int one : reach.differing) values_[as_index(one)].state = ValueState::unlike;
  }
  return {};
}

/// Do B's nodes make something wrong of A's values there, or nothing at all, though B's own values are right?
Result<bool> InnerValues::is_contradicted(const Values& behind) {
  auto reading = capture(behind);
  if (!reading) return tl::unexpected(reading.error());
  if (!*reading) return false;
  std::vector<std::string> names;
  for (const int value : behind) names.push_back(graphs_.name_a(value));
  auto floors = noise_without_draws(names, (*reading)->a, expose(graphs_.a.proto, names));
  if (!floors) return tl::unexpected(floors.error());
  Noise noise = std::move(*floors);
  if (auto ok = draw_again(behind, **reading, noise); !ok) return tl::unexpected(ok.error());
  std::vector<InnerValue> before;
  for (const int value : behind) {
    before.push_back(values_[as_index(value)]);
    values_[as_index(value)].state = ValueState::unclear;
  }
  auto made = make_alone(behind, **reading, noise);
  bool is_wrong = false;
  for (std::size_t i = 0; i < behind.size(); ++i) {
    is_wrong = is_wrong || values_[as_index(behind[i])].state != ValueState::inherited;
    values_[as_index(behind[i])] = before[i];
  }
  if (!made) return tl::unexpected(made.error());
  return is_wrong;
}

}  // namespace culprit
