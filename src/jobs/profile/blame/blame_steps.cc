#include "profile/blame/blame_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "profile/blame/blame_walk.h"
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
    if (search_.foretell) search_.foretell(ahead());
    auto speed = ask_(names(subset));
    if (!speed) {
      error_ = speed.error();
      return {};
    }
    ++record_.questions;
    record_.unsure += is_unsure(speed->verdict);
    record_.answers.push_back({names(subset), speed->ratio, speed->verdict, speed->seconds});
    record_.seconds += speed->seconds;
    is_cut_ = speed->is_cut && is_unsure(speed->verdict);
    if (is_cut_) return *speed;
    measured_ += speed->seconds > 0;
    seconds_of_whole_answers_ += speed->seconds;
    return known_.emplace(subset, std::move(*speed)).first->second;
  }

  [[nodiscard]] double seconds_a_question() const {
    return measured_ > 0 ? seconds_of_whole_answers_ / static_cast<double>(measured_) : search_.seconds_a_question;
  }

  /// The smallest set that is known to do it and has none of those that were found; where there is none, all others.
  [[nodiscard]] Subset open_steps(const Subset& blamed) const {
    Subset open = all();
    std::erase_if(open, [&](std::size_t step) { return std::ranges::binary_search(blamed, step); });
    for (const auto& [subset, speed] : known_) {
      const bool is_apart =
          std::ranges::none_of(subset, [&](std::size_t step) { return std::ranges::binary_search(blamed, step); });
      if (is_apart && is_so(speed) && !subset.empty() && subset.size() < open.size()) open = subset;
    }
    return open;
  }

  [[nodiscard]] BlameAhead ahead(const Subset& blamed = {}) const {
    BlameAhead ahead{record_.questions, 1, 0};
    if (const Subset open = open_steps(blamed); !open.empty())
      ahead.questions = questions_ahead(
          search_.steps.size(), open.back(), [&](const Subset& subset) { return known_.contains(subset); },
          [&](const Subset& subset) { return is_so(known_.at(subset)); });
    ahead.seconds = static_cast<double>(ahead.questions) * seconds_a_question();
    return ahead;
  }

  void hunt() {
    const SpeedOfSteps none = speed_of({});
    if (is_so(none)) return tell_way_through(none);
    const BlameWalk walk = blame_walk(
        search_.steps.size(), [&](const Subset& subset) { return is_so(speed_of(subset)); }, [&] { return is_over(); });
    record_.steps = names(walk.blamed);
    if (!walk.blamed.empty()) {
      record_.with = speed_of(walk.blamed).ratio;
      const SpeedOfSteps without = speed_of(walk.left);
      record_.without = without.ratio;
      if (known_.contains(walk.left)) record_.without_verdict = without.verdict;
    }
    if (is_cut_) tell_open(walk.blamed);
    tell_steps();
  }

  void tell_open(const Subset& blamed) {
    record_.open = names(open_steps(blamed));
    record_.seconds_left = ahead(blamed).seconds;
  }

  void tell_whole(const SpeedOfSteps& whole) {
    record_.with = whole.ratio;
    if (is_cut_) tell_open({});
    if (record_.questions == 0) {
      record_.message = "the time was spent before any question was asked";
      return;
    }
    const char* so = is_cut_                    ? "the time was spent before anything was sure"
                     : is_unsure(whole.verdict) ? "nothing is sure of it"
                                                : "it is so no more";
    record_.message = fmt::format("measured again {}: {:.3g} x ({:.3g} to {:.3g})", so, whole.ratio.value,
                                  whole.ratio.low, whole.ratio.high);
  }

  /// No step is needed.
  void tell_way_through(const SpeedOfSteps& none) {
    record_.with = none.ratio;
    record_.because = none.known_cause;
    record_.ops_changed = none.ops_changed;
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
      record_.message =
          fmt::format("the time was spent before a step was found: of {} steps {} open", search_.steps.size(),
                      record_.open.size() == search_.steps.size() ? "all are"
                      : record_.open.size() == 1                  ? "1 is"
                                                                  : fmt::format("{} are", record_.open.size()));
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
  std::int64_t measured_ = 0;  ///< questions that were measured until they had their answer
  double seconds_of_whole_answers_ = 0;
  BlameRecord record_;
};

}  // namespace

Result<BlameRecord> blame_steps(const BlameSearch& search, const AskSpeed& ask) { return BlameHunt(search, ask).run(); }

}  // namespace culprit
