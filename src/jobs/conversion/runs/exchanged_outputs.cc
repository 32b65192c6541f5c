#include "conversion/runs/exchanged_outputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"

namespace culprit {
namespace {

/// So near, one may be the other. Judging tells.
constexpr double near_enough_to_try = 1e-2;

class Exchange {
 public:
  explicit Exchange(const ExchangeTask& task) : task_(task) {}

  Result<std::optional<ExchangedOutputs>> find() {
    for (const ValueMatch& match : task_.wrong) {
      auto other = nearest(match);
      if (!other) return tl::unexpected(other.error());
      if (*other) found_.push_back(std::move(**other));
    }
    leave_what_is_closed();
    if (found_.empty()) return std::nullopt;
    const auto judged = judge_all_outputs(task_.sides, found_, task_.target, task_.sides.target.draws(true),
                                          task_.samples, task_.is_strict);
    if (!judged) return tl::unexpected(judged.error());
    std::erase_if(found_, [&](const ValueMatch& match) {
      return std::ranges::find(judged->wrong, match.source, &ValueMatch::source) != judged->wrong.end();
    });
    leave_what_is_closed();
    if (found_.empty()) return std::nullopt;
    return ExchangedOutputs{found_, fault(judged->error())};
  }

 private:
  [[nodiscard]] const ValueMatch& as_named(int source) const {
    return *std::ranges::find(task_.wrong, source, &ValueMatch::source);
  }
  [[nodiscard]] bool is_free(int target) const {
    return std::ranges::find(found_, target, &ValueMatch::target) == found_.end();
  }

  /// Another one of the wrong outputs that is near.
  Result<std::optional<ValueMatch>> nearest(const ValueMatch& match) {
    const auto one = task_.sides.source_on_all.of(match.source);
    if (!one) return tl::unexpected(one.error());
    std::optional<ValueMatch> best;
    double distance = near_enough_to_try;
    for (const ValueMatch& other : task_.wrong) {
      if (other.target == match.target || !is_free(other.target)) continue;
      const auto given = task_.target(other.target);
      if (!given) return tl::unexpected(given.error());
      if (!could_be(*one, *given)) continue;
      const auto order = nearest_value_order(*one, *given, true, distance);
      if (!order || order->apart.distance > distance) continue;
      distance = order->apart.distance;
      best = ValueMatch{match.source, other.target, order->order, FoundBy::binding};
    }
    return best;
  }

  static bool could_be(const std::vector<Tensor>& one, const std::vector<Tensor>& other) {
    if (one.empty() || one.size() != other.size()) return false;
    for (std::size_t i = 0; i < one.size(); ++i)
      if (one[i].count() != other[i].count() || one[i].dtype() != other[i].dtype()) return false;
    return true;
  }

  /// Each of them takes the place of another one of them.
  void leave_what_is_closed() {
    for (bool goes_on = true; goes_on;) {
      const auto before = found_.size();
      std::erase_if(found_, [&](const ValueMatch& match) { return is_free(as_named(match.source).target); });
      std::erase_if(found_, [&](const ValueMatch& match) {
        return std::ranges::none_of(
            found_, [&](const ValueMatch& other) { return as_named(other.source).target == match.target; });
      });
      goes_on = found_.size() < before;
    }
  }

  [[nodiscard]] std::string name_of_target(int value) const {
    return task_.sides.target.network().values[as_index(value)].name;
  }

  [[nodiscard]] MendableFault fault(double error_after) const {
    MendableFault made;
    ConversionFault& fault = made.fault;
    fault.kind = FaultClass::graph;
    fault.confirmed = true;
    fault.evidence.kind = "outputs_exchanged";
    fault.evidence.numbers = {{"exchanged", static_cast<double>(found_.size())}};
    std::vector<std::string> names, edits;
    double error_before = 0;
    for (const ValueMatch& match : found_) {
      const ValueMatch& named = as_named(match.source);
      names.push_back("'" + printable(name_of_target(named.target), 60) + "'");
      made.edits.emplace_back(SetOutput{place_of(named.target), match.target});
      edits.push_back(to_string(made.edits.back(), task_.sides.target.network()));
      error_before = std::max(error_before, named.measurement.max_abs);
    }
    fault.source = {task_.sides.source.network().values[as_index(found_.front().source)].name, "output", -1};
    fault.target.node = {name_of_target(found_.front().target), "output", -1};
    fault.evidence.message = fmt::format(
        "{} have each other's names: each is right where it is held against another one", join(names, ", "));
    fault.repair = {join(edits, "; "), "", "", error_before, error_after, RepairRecord::Of::outputs};
    return made;
  }

  [[nodiscard]] std::size_t place_of(int target) const {
    const auto& outputs = task_.sides.target.network().outputs;
    return static_cast<std::size_t>(std::ranges::find(outputs, target) - outputs.begin());
  }

  const ExchangeTask& task_;
  std::vector<ValueMatch> found_;
};

}  // namespace

Result<std::optional<ExchangedOutputs>> exchanged_outputs(const ExchangeTask& task) { return Exchange(task).find(); }

}  // namespace culprit
