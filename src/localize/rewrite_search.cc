#include "localize/rewrite_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

using State = RewriteAnswer::State;

class Search {
 public:
  Search(const RewriteOracle& oracle, const RewriteSearchOptions& options) : oracle_(oracle), options_(options) {}

  Result<RewriteSearch> run() {
    auto none = ask(limits_of(0));
    if (!none) return tl::unexpected(none.error());
    if (!can_begin(*none)) return std::move(result_);
    bool goes_on = true;
    while (goes_on) {
      auto more = find_next(*none);
      if (!more) return tl::unexpected(more.error());
      goes_on = *more;
    }
    result_.asked = asked_;
    return std::move(result_);
  }

 private:
  /// A boundary: `below` visits are right, `above` fail.
  struct Range {
    std::uint64_t below, above;
    RewriteAnswer right, failing;
  };

  [[nodiscard]] RewriteLimits limits_of(std::optional<std::uint64_t> budget) const {
    return RewriteLimits{.budget = budget, .skip = skip_, .trace = !budget};
  }

  /// A failure is believed at once, `right` when it was said as often as there are doubts.
  Result<RewriteAnswer> ask(const RewriteLimits& limits) {
    ++asked_;
    auto answer = oracle_(limits, 0);
    for (std::size_t again = 1; again <= options_.doubts; ++again) {
      if (!answer || answer->state != State::right) break;
      ++asked_;
      auto doubted = oracle_(limits, again);
      if (doubted && doubted->state == State::right) continue;
      if (doubted && doubted->state == State::fails) result_.flickers = true;
      return doubted;
    }
    return answer;
  }

  Result<RewriteAnswer> ask_again(const RewriteLimits& limits, std::size_t again) {
    ++asked_;
    return oracle_(limits, options_.doubts + again);
  }

  void stop(std::string why) { result_.message = std::move(why); }

  bool can_begin(const RewriteAnswer& none) {
    result_.asked = asked_;
    if (none.state == State::right) return true;
    if (none.state == State::ended) {
      stop(none.message);
      return false;
    }
    stop(none.state == State::fails ? "it fails without any rewrite, so none is to blame"
                                    : "without any rewrite something else goes wrong: " + none.message);
    return false;
  }

  /// The next bad rewrite, with those found before left out. False where the search is over.
  Result<bool> find_next(const RewriteAnswer& none) {
    const std::size_t before = asked_;
    auto all = ask(limits_of(std::nullopt));
    if (!all) return tl::unexpected(all.error());
    if (all->state == State::right) return finish(*all);
    if (all->state == State::ended) {
      stop((result_.found.empty() ? "" : "there may be more: ") + all->message);
      return false;
    }
    if (all->state == State::unknown) {
      stop("with all rewrites but those found something else goes wrong: " + all->message);
      return false;
    }
    if (result_.found.size() >= options_.most_found) {
      stop(fmt::format("there are more than {}", options_.most_found));
      return false;
    }
    const RewriteTrace trace = all->trace;
    auto counted = is_rewrite_s_doing(trace, *all);
    if (!counted || !*counted) return counted;
    auto range = narrow({0, trace.count, none, std::move(*all)});
    if (!range || !*range) return range ? Result<bool>(false) : tl::unexpected(range.error());
    const bool has_gap = (*range)->above - (*range)->below > 1;
    return has_gap ? take_by_removal(**range, trace, before) : take(**range, trace, before);
  }

  /// What dies may do so between two rewrites, in a predicate: then all of the rewrites, and no more, are right.
  Result<bool> is_rewrite_s_doing(const RewriteTrace& trace, const RewriteAnswer& all) {
    if (trace.count > 0) {
      if (all.fingerprint != Hash128{}) return true;
      const auto stopped = ask(limits_of(trace.count));
      if (!stopped) return tl::unexpected(stopped.error());
      if (stopped->state == State::fails) return true;
    }
    const auto predicate = find_predicate();
    if (!predicate) return tl::unexpected(predicate.error());
    const std::string when =
        trace.count == 0 ? "before any rewrite is made" : fmt::format("after the last of {} rewrites", trace.count);
    const std::string last = trace.visits.empty() ? "" : " (" + place_of(trace.visits.back()) + ")";
    stop("it fails " + when + last + ", " + *predicate);
    return false;
  }

  /// "when the predicate of fuse_qkv is asked about 'q' (MatMul)"
  Result<std::string> find_predicate() {
    RewriteLimits limits = limits_of(std::nullopt);
    limits.trace_predicates = true;
    const auto told = ask(limits);
    if (!told) return tl::unexpected(told.error());
    if (told->state != State::fails || !told->trace.asking) return std::string("outside the predicates of its passes");
    const RewriteVisit& node = *told->trace.asking;
    return "when the predicate of " + printable(node.site.pass, 100) + " is asked about '" +
           printable(node.site.output, 100) + "' (" + printable(node.op_type, 100) + ")";
  }

  bool finish(const RewriteAnswer& all) {
    result_.complete = !result_.found.empty() && !result_.flickers;
    if (result_.flickers) stop("the failure flickers: this is likely, not certain");
    if (result_.found.empty()) stop("the recipe is right" + (all.message.empty() ? "" : ": " + all.message));
    return false;
  }

  /// Halves the range until it holds one visit, or only visits that say nothing. Nothing where no more may be asked.
  Result<std::optional<Range>> narrow(Range range) {
    while (range.above - range.below > 1) {
      auto middle = ask_between(range);
      if (!middle) return tl::unexpected(middle.error());
      if (!*middle) return between_.empty() ? std::optional<Range>() : std::optional<Range>(std::move(range));
      auto& [budget, answer] = **middle;
      (answer.state == State::fails ? range.above : range.below) = budget;
      (answer.state == State::fails ? range.failing : range.right) = std::move(answer);
    }
    return std::optional<Range>(std::move(range));
  }

  /// The middle; where it says nothing (that many rewrites give a model that is broken in another way), its neighbours,
  /// alternately farther away.
  Result<std::optional<std::pair<std::uint64_t, RewriteAnswer>>> ask_between(const Range& range) {
    using Answer = std::optional<std::pair<std::uint64_t, RewriteAnswer>>;
    const std::uint64_t middle = range.below + (range.above - range.below) / 2;
    std::string last;
    between_.clear();
    for (std::uint64_t step = 0; step < range.above - range.below; ++step) {
      const std::uint64_t away = (step + 1) / 2;
      if (step % 2 == 0 ? middle + away >= range.above : middle - range.below <= away) continue;
      const std::uint64_t budget = step % 2 == 0 ? middle + away : middle - away;
      if (asked_ >= options_.most_asked) {
        stop(fmt::format("it is among the rewrites {} to {}, but {} questions are all that may be asked",
                         range.below + 1, range.above, options_.most_asked));
        return Answer();
      }
      auto answer = ask(limits_of(budget));
      if (!answer) return tl::unexpected(answer.error());
      if (answer->state == State::ended) {
        stop(fmt::format("it is among the rewrites {} to {}: {}", range.below + 1, range.above, answer->message));
        return Answer();
      }
      if (answer->state != State::unknown) return Answer({budget, std::move(*answer)});
      last = answer->message;
    }
    between_ = "something else goes wrong: " + last;
    return Answer();
  }

  /// Which of them is it? One at a time is left out of the whole recipe.
  Result<bool> take_by_removal(const Range& range, const RewriteTrace& trace, std::size_t before) {
    const auto among =
        fmt::format("it is among the rewrites {} to {}, between which {}", range.below + 1, range.above, between_);
    const std::uint64_t last = std::min({range.above, range.below + options_.most_removed, trace.visits.size()});
    for (std::uint64_t number = range.below + 1; number <= last && asked_ < options_.most_asked; ++number) {
      const RewriteVisit& visit = trace.visits[number - 1];
      if (std::ranges::find(skip_, visit.site) != skip_.end()) continue;
      skip_.push_back(visit.site);
      auto without = ask(limits_of(std::nullopt));
      if (!without) return tl::unexpected(without.error());
      if (without->state == State::right) {
        BadRewrite bad{number, trace.count, visit, without->fingerprint, range.failing.fingerprint, true};
        if (auto ok = confirm_removal(bad); !ok) return tl::unexpected(ok.error());
        bad.checks = asked_ - before;
        stop(fmt::format("rewrite {}: without it the recipe is right; with no more than {} rewrites {}", name_of(bad),
                         number, between_));
        result_.found.push_back(std::move(bad));
        return true;
      }
      skip_.pop_back();
      if (without->state != State::ended) continue;
      stop(among + "; " + without->message);
      return false;
    }
    stop(among);
    return false;
  }

  Result<bool> take(const Range& range, const RewriteTrace& trace, std::size_t before) {
    BadRewrite bad;
    bad.number = range.above;
    bad.of = trace.count;
    bad.before = range.right.fingerprint;
    bad.after = range.failing.fingerprint;
    const auto confirmed = confirm(limits_of(range.below), limits_of(range.above), bad);
    if (!confirmed) return tl::unexpected(confirmed.error());
    if (range.above > trace.visits.size()) {
      stop(fmt::format("rewrite {} of {} is bad, but only {} were traced", range.above, trace.count,
                       trace.visits.size()));
      return false;
    }
    bad.visit = trace.visits[range.above - 1];
    bad.checks = asked_ - before;
    if (bad.before == bad.after && bad.before != Hash128{}) {
      stop("rewrite " + name_of(bad) + " changes nothing, and yet fails: the failure flickers");
      return false;
    }
    if (std::ranges::find(skip_, bad.visit.site) != skip_.end()) {
      stop("rewrite " + name_of(bad) + " cannot be left out");
      return false;
    }
    skip_.push_back(bad.visit.site);
    result_.found.push_back(std::move(bad));
    return true;
  }

  static std::string name_of(const BadRewrite& bad) {
    return fmt::format("{} of {} ({})", bad.number, bad.of, place_of(bad.visit));
  }

  /// "fuse_bn_into_conv at 'y'"
  static std::string place_of(const RewriteVisit& visit) {
    const RewriteSite& site = visit.site;
    return printable(site.pass, 100) + (site.output.empty() ? "" : " at '" + printable(site.output, 100) + "'");
  }

  /// Both sides again.
  Result<void> confirm(const RewriteLimits& below, const RewriteLimits& above, BadRewrite& bad) {
    bad.asked = bad.held = 1;  // the search itself saw it
    for (std::size_t again = 1; again <= options_.confirmations; ++again) {
      const auto right = ask_again(below, again);
      if (!right) return tl::unexpected(right.error());
      const auto failing = ask_again(above, again);
      if (!failing) return tl::unexpected(failing.error());
      if (right->state == State::ended || failing->state == State::ended) break;
      ++bad.asked;
      if (right->state == State::right && failing->state == State::fails) ++bad.held;
    }
    if (bad.held < bad.asked) result_.flickers = true;
    return {};
  }

  /// With it and without it again.
  Result<void> confirm_removal(BadRewrite& bad) {
    const RewriteLimits without = limits_of(std::nullopt);
    RewriteLimits with = without;
    std::erase(with.skip, bad.visit.site);
    return confirm(without, with, bad);
  }

  const RewriteOracle& oracle_;
  const RewriteSearchOptions& options_;
  RewriteSearch result_;
  std::vector<RewriteSite> skip_;
  std::size_t asked_ = 0;
  std::string between_;  ///< what all visits between two say, where none says anything about the failure
};

}  // namespace

Result<RewriteSearch> find_bad_rewrites(const RewriteOracle& oracle, const RewriteSearchOptions& options) {
  auto result = Search(oracle, options).run();
  return result;
}

}  // namespace culprit
