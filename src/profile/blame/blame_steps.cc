#include "profile/blame/blame_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "search/ddmin.h"

namespace culprit {
namespace {

class BlameHunt {
 public:
  BlameHunt(const BlameSearch& search, const AskSpeed& ask) : search_(search), ask_(ask) {
    record_.entry = search.entry;
    record_.asked = search.asked;
  }

  Result<BlameRecord> run() {
    const SpeedOfSteps whole = speed_of(all());
    if (is_so(whole)) hunt();
    if (!error_ && !is_so(whole)) tell_whole(whole);
    if (error_) return tl::unexpected(*error_);
    return std::move(record_);
  }

 private:
  [[nodiscard]] Subset all() const {
    Subset subset(search_.steps.size());
    for (std::size_t i = 0; i < subset.size(); ++i) subset[i] = i;
    return subset;
  }

  [[nodiscard]] bool is_so(const SpeedOfSteps& speed) const { return speed.verdict == search_.asked; }
  [[nodiscard]] bool is_over() const { return error_ || is_cut_; }

  [[nodiscard]] std::vector<std::string> names(const Subset& subset) const {
    std::vector<std::string> names;
    for (const std::size_t step : subset) names.push_back(search_.steps[step]);
    return names;
  }

  /// Asked once. When there is no more time, nothing is so.
  SpeedOfSteps speed_of(const Subset& subset) {
    if (const auto known = known_.find(subset); known != known_.end()) return known->second;
    if (is_over()) return {};
    if (is_stopped(search_.is_time_up) || known_.size() >= search_.most_questions) {
      is_cut_ = true;
      return {};
    }
    auto speed = ask_(names(subset));
    if (!speed) {
      error_ = speed.error();
      return {};
    }
    ++record_.questions;
    record_.unsure += is_unsure(speed->verdict);
    return known_.emplace(subset, std::move(*speed)).first->second;
  }

  /// Of `left`, the smallest set that does it alone.
  Subset smallest_of(const Subset& left) {
    const auto result = ddmin(left.size(), [&](const Subset& places) {
      Subset subset;
      for (const std::size_t place : places) subset.push_back(left[place]);
      return is_so(speed_of(subset));
    });
    Subset found;
    for (const std::size_t place : result.minimal) found.push_back(left[place]);
    return found;
  }

  void hunt() {
    const SpeedOfSteps none = speed_of({});
    if (is_so(none)) return tell_way_through(none);
    Subset left = all(), blamed;
    while (!is_over() && is_so(speed_of(left))) {
      const Subset found = smallest_of(left);
      if (is_over()) break;
      blamed.insert(blamed.end(), found.begin(), found.end());
      std::erase_if(left, [&](std::size_t step) { return std::ranges::find(found, step) != found.end(); });
    }
    std::ranges::sort(blamed);
    record_.steps = names(blamed);
    record_.with = speed_of(blamed).ratio;
    const SpeedOfSteps without = speed_of(left);
    record_.without = without.ratio;
    record_.without_verdict = without.verdict;
    tell_steps();
  }

  void tell_whole(const SpeedOfSteps& whole) {
    record_.with = whole.ratio;
    const char* so = is_unsure(whole.verdict) ? "nothing is sure of it" : "it is so no more";
    record_.message = fmt::format("measured again {}: {:.3g} x ({:.3g} to {:.3g})", so, whole.ratio.value,
                                  whole.ratio.low, whole.ratio.high);
  }

  /// No step is needed.
  void tell_way_through(const SpeedOfSteps& none) {
    record_.with = none.ratio;
    record_.because = none.known_cause;
    record_.message = what_does_it() + (none.known_cause.empty() ? "" : " (" + none.known_cause + ")");
  }

  [[nodiscard]] std::string what_does_it() const {
    const auto asked = name_of(search_.asked);
    switch (search_.without_steps) {
      case WithoutSteps::other_model:
        return fmt::format("the model itself is {0}: it is {0} without any step of the runtime as well", asked);
      case WithoutSteps::other_written_model:
        return fmt::format(
            "it is {0} without any step as well: the model itself is {0}, or what the optimizer writes of any model",
            asked);
      case WithoutSteps::session:
        return fmt::format(
            "it is {} without any step as well: what the runtime does at this level, in this version and on this "
            "provider beside its steps does it",
            asked);
      case WithoutSteps::written_file:
        break;
    }
    return fmt::format("it is {} without any step as well: what the optimizer writes of any model does it", asked);
  }

  void tell_steps() {
    const std::string steps = join(record_.steps, ", ");
    const char* verb = record_.steps.size() == 1 ? "makes" : "make";
    if (record_.steps.empty())
      record_.message = "the time was spent before a step was found";
    else if (is_cut_)
      record_.message = fmt::format("{} {} it {}; the time was spent before it was known whether others do, too", steps,
                                    verb, name_of(search_.asked));
    else
      record_.message = fmt::format("{} {} it {}", steps, verb, name_of(search_.asked));
    if (record_.unsure > 0)
      record_.message += fmt::format(" ({} of {} questions had no sure answer)", record_.unsure, record_.questions);
  }

  const BlameSearch& search_;
  const AskSpeed& ask_;
  std::map<Subset, SpeedOfSteps> known_;
  std::optional<Error> error_;
  bool is_cut_ = false;
  BlameRecord record_;
};

}  // namespace

Result<BlameRecord> blame_steps(const BlameSearch& search, const AskSpeed& ask) { return BlameHunt(search, ask).run(); }

}  // namespace culprit
