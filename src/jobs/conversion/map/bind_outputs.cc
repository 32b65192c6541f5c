#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/bind_sides.h"
#include "conversion/map/input_orders.h"
#include "conversion/map/named_pairs.h"

namespace culprit {
namespace {

/// So near, outputs tell their order of axes; further apart only shapes do.
constexpr double near_enough = 1e-2;
constexpr double no_limit = std::numeric_limits<double>::infinity();

struct OutputPair {
  double distance = no_limit;
  bool rests_on_other = true;    // parameters
  int source = -1, target = -1;  // places
  ValueOrder order;
};

class OutputBinder {
 public:
  OutputBinder(SideBinding& binding, const InputsSeen& seen, const std::vector<std::vector<NamedTensor>>& source,
               const std::vector<std::vector<NamedTensor>>& target, const RestOnTheSame& rest_on_the_same)
      : binding_(binding),
        seen_(seen),
        rest_on_the_same_(rest_on_the_same),
        source_(by_output(source, seen.source.outputs.size())),
        target_(by_output(target, seen.target.outputs.size())) {}

  void bind(const std::vector<std::pair<int, int>>& pairs) {
    for (const auto& [one, other] : pairs) take(compare(one, other));
    std::vector<OutputPair> left;
    for (int one = 0; one < std::ssize(source_); ++one)
      for (int other = 0; other < std::ssize(target_); ++other)
        if (is_free(one, other) && fits(one, other)) left.push_back(compare(one, other));
    std::ranges::sort(left, {}, [](const OutputPair& pair) {
      const bool is_near = pair.distance <= near_enough;
      return std::tuple(!is_near, !is_near && pair.rests_on_other, pair.distance, std::abs(pair.source - pair.target),
                        pair.source, pair.target);
    });
    for (OutputPair& pair : left)
      if (is_free(pair.source, pair.target)) take(std::move(pair));
    bind_by_position();
    std::ranges::sort(taken_, {}, &OutputPair::source);
    for (OutputPair& pair : taken_)
      binding_.outputs.push_back({seen_.source.outputs[as_index(pair.source)],
                                  seen_.target.outputs[as_index(pair.target)], std::move(pair.order),
                                  FoundBy::binding});
    list_unbound();
  }

 private:
  using ByOutput = std::vector<std::vector<Tensor>>;  // the samples of each; none where it did not run

  static ByOutput by_output(const std::vector<std::vector<NamedTensor>>& samples, std::size_t outputs) {
    ByOutput made(outputs);
    for (const auto& sample : samples)
      for (std::size_t i = 0; i < outputs && i < sample.size(); ++i) made[i].push_back(sample[i].value);
    return made;
  }

  [[nodiscard]] bool is_free(int source, int target) const {
    return std::ranges::none_of(taken_,
                                [&](const OutputPair& pair) { return pair.source == source || pair.target == target; });
  }

  /// As many elements of one kind, in all samples?
  [[nodiscard]] bool fits(int source, int target) const {
    const auto &one = source_[as_index(source)], &other = target_[as_index(target)];
    if (one.empty() || one.size() != other.size()) return false;
    for (std::size_t i = 0; i < one.size(); ++i)
      if (one[i].count() != other[i].count() || !is_one_kind(one[i].dtype(), other[i].dtype())) return false;
    return true;
  }

  [[nodiscard]] OutputPair compare(int source, int target) const {
    OutputPair pair;
    pair.source = source;
    pair.target = target;
    const auto &one = source_[as_index(source)], &other = target_[as_index(target)];
    if (!fits(source, target)) return pair;
    if (rest_on_the_same_)
      pair.rests_on_other =
          !rest_on_the_same_(seen_.source.outputs[as_index(source)], seen_.target.outputs[as_index(target)]);
    const auto nearest = nearest_value_order(one, other, true, no_limit);
    if (!nearest) return pair;
    pair.distance = nearest->apart.distance;
    if (pair.distance <= near_enough || one[0].shape() != other[0].shape()) pair.order = nearest->order;
    return pair;
  }

  void take(OutputPair pair) { taken_.push_back(std::move(pair)); }

  /// What is left, where there are as many of both: a fault may have made another size of it.
  void bind_by_position() {
    std::vector<int> ours, theirs;
    for (int i = 0; i < std::ssize(source_); ++i)
      if (std::ranges::find(taken_, i, &OutputPair::source) == taken_.end()) ours.push_back(i);
    for (int i = 0; i < std::ssize(target_); ++i)
      if (std::ranges::find(taken_, i, &OutputPair::target) == taken_.end()) theirs.push_back(i);
    if (ours.size() != theirs.size() || ours.empty()) return;
    for (std::size_t i = 0; i < ours.size(); ++i) take(compare(ours[i], theirs[i]));
    if (ours.size() > 1)
      binding_.warnings.push_back(
          {"binding_by_position",
           fmt::format("{} outputs of the target have other names and other sizes: they are taken by their position. "
                       "--map SOURCE_NAME=TARGET_NAME says which is which",
                       ours.size())});
  }

  void list_unbound() {
    const auto list = [&](const Network& network, bool is_source, const char* side) {
      for (int i = 0; i < std::ssize(network.outputs); ++i)
        if (std::ranges::none_of(taken_,
                                 [&](const OutputPair& pair) { return (is_source ? pair.source : pair.target) == i; }))
          binding_.unbound.push_back(
              fmt::format("output '{}' of the {}",
                          printable(network.values[as_index(network.outputs[as_index(i)])].name, 60), side));
    };
    list(seen_.source, true, "source");
    list(seen_.target, false, "target");
  }

  SideBinding& binding_;
  const InputsSeen& seen_;
  const RestOnTheSame& rest_on_the_same_;
  ByOutput source_, target_;
  std::vector<OutputPair> taken_;
};

}  // namespace

Result<void> bind_outputs_of_sides(SideBinding& binding, const InputsSeen& seen,
                                   const std::vector<std::vector<NamedTensor>>& source,
                                   const std::vector<std::vector<NamedTensor>>& target,
                                   const RestOnTheSame& rest_on_the_same) {
  auto by_map = pairs_of_map(seen.source, seen.target, seen.map);
  if (!by_map) return tl::unexpected(by_map.error());
  OutputBinder(binding, seen, source, target, rest_on_the_same)
      .bind(pairs_of_names(seen.source, seen.source.outputs, seen.target, seen.target.outputs,
                           std::move(by_map->outputs)));
  if (binding.outputs.empty())
    return fail(ErrorKind::bad_input, "no output of the target stands for one of the source",
                "say which output is which with --map SOURCE_NAME=TARGET_NAME");
  return {};
}

}  // namespace culprit
