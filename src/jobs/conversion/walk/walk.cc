#include "conversion/walk/walk.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr int most_refused = 3;

class Walk {
 public:
  Walk(const WalkTask& task, const WalkRuns& runs) : task_(task), runs_(runs) {}

  Result<WalkResult> go() {
    while (true) {
      auto fed = runs_.whole(cuts_);
      if (!fed) return tl::unexpected(fed.error());
      if (!*fed) {
        result_.why_it_stopped = cuts_.empty() ? "the target does not run" : "the target does not run when it is fed";
        break;
      }
      if (cuts_.empty()) result_.as_it_came = (*fed)->found;
      const bool is_done = look_at(std::move(**fed));
      if (is_done) break;
      auto went_on = step();
      if (!went_on) return tl::unexpected(went_on.error());
      if (!*went_on) break;
    }
    return std::move(result_);
  }

 private:
  /// What is known now; true where nothing is bad.
  bool look_at(FedTarget fed) {
    std::erase_if(fed.bad_outputs, [&](int output) { return is_cut_at(output); });
    for (const ValueMatch& output : task_.outputs)
      if (std::ranges::find(fed.bad_outputs, output.source) == fed.bad_outputs.end())
        fed.found.emplace(output.source, output);
    for (const int output : fed.bad_outputs) fed.found.erase(output);
    task_.map.values = fed.found;
    result_.left_bad = fed.bad_outputs;
    sketches_ = std::move(fed.sketches);
    return result_.left_bad.empty();
  }

  bool is_cut_at(int output) const {
    return std::ranges::any_of(cuts_, [&](const ValueMatch& cut) { return cut.source == output; });
  }

  /// One blame; false where the walk ends.
  Result<bool> step() {
    if (result_.steps.size() >= task_.most_faults) return stop(-1, "more faults than are looked for");
    const auto suspects = suspects_of(task_.source, result_.left_bad, task_.map.values);
    const auto first = first_suspect(task_.source, suspects, task_.map.values);
    if (!first) return stop(-1, "nothing that is known leads to the wrong outputs");
    CutTask task{task_.source, task_.target, task_.sketches_source, sketches_, task_.map, suspects, task_.outputs,
                 {},           *first};
    for (const ValueMatch& cut : cuts_) task.fed.push_back(cut.target);
    std::optional<WalkStep> taken;
    while (static_cast<int>(task.refused.size()) <= most_refused) {
      auto cut = find_cut(
          task, [&](const ValueMatch& one) { return tried(one); }, task_.most_cuts);
      if (!cut) return tl::unexpected(cut.error());
      if (!*cut) break;
      WalkStep made = step_of(*first, suspects, std::move(**cut));
      auto is_wrong = runs_.is_wrong ? runs_.is_wrong(made) : Result<bool>(true);
      if (!is_wrong) return tl::unexpected(is_wrong.error());
      task.refused.push_back(made.cut.cut);
      made.is_explained = *is_wrong;
      if (!taken || made.is_explained) taken = std::move(made);
      if (taken->is_explained) break;
    }
    if (!taken) return stop(*first, "no place after it makes the target right when it is fed there");
    cuts_.push_back(taken->cut.cut);
    result_.steps.push_back(std::move(*taken));
    return true;
  }

  WalkStep step_of(int first, const std::vector<bool>& suspects, FoundCut cut) const {
    WalkStep made;
    made.suspect = first;
    made.group = layers_between(task_.source, suspects, first, cut.cut.source);
    made.known = task_.map.values;
    made.region = region_before(task_.source, task_.target, made.known, cut.cut);
    made.cut = std::move(cut);
    return made;
  }

  Result<std::optional<ValueMatches>> tried(const ValueMatch& cut) {
    ++result_.tries;
    std::vector<ValueMatch> cuts = cuts_;
    cuts.push_back(cut);
    auto fed = (runs_.near ? runs_.near : runs_.whole)(cuts);
    if (!fed) return tl::unexpected(fed.error());
    if (!*fed) return std::nullopt;
    for (const int output : (*fed)->bad_outputs) (*fed)->found.erase(output);
    return std::move((*fed)->found);
  }

  Result<bool> stop(int at, std::string why) {
    result_.stopped_at = at;
    result_.why_it_stopped = std::move(why);
    return false;
  }

  const WalkTask& task_;
  const WalkRuns& runs_;
  std::vector<ValueMatch> cuts_;
  std::map<int, ValueSketch> sketches_;
  WalkResult result_;
};

}  // namespace

Result<WalkResult> walk(const WalkTask& task, const WalkRuns& runs) { return Walk(task, runs).go(); }

}  // namespace culprit
