#include "localize/rewrite_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "localize/rewrite_questions.h"

namespace culprit {
namespace {

using State = RewriteAnswer::State;

class RewriteSearcher {
 public:
  RewriteSearcher(const RewriteOracle& oracle, const RewriteSearchOptions& options)
      : questions_(oracle, options), options_(options) {}

  Result<RewriteSearch> run() {
    auto none = questions_.ask(questions_.limits_of(0));
    if (!none) return tl::unexpected(none.error());
    bool goes_on = can_begin(*none);
    while (goes_on) {
      auto more = find_next(*none);
      if (!more) return tl::unexpected(more.error());
      goes_on = *more;
    }
    tell_others();
    result_.asked = questions_.asked();
    result_.flickers = questions_.flickers();
    return std::move(result_);
  }

 private:
  /// A boundary: `below` visits are right, `above` fail.
  struct Range {
    std::uint64_t below, above;
    RewriteAnswer right, failing;
  };

  void stop(std::string why) { result_.message = std::move(why); }

  bool can_begin(const RewriteAnswer& none) {
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
    const std::size_t before = questions_.asked();
    auto all = questions_.ask(questions_.limits_of(std::nullopt));
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
    if ((*range)->above - (*range)->below == 1) return take(**range, trace, before);
    auto taken = take_by_removal(**range, trace, before);
    if (!taken || *taken || has_ended_) return taken;
    return take_another(**range, trace, before);
  }

  /// What dies may do so between two rewrites, in a predicate: then all of the rewrites, and no more, are right.
  Result<bool> is_rewrite_s_doing(const RewriteTrace& trace, const RewriteAnswer& all) {
    if (trace.count > 0) {
      if (all.fingerprint != Hash128{}) return true;
      const auto stopped = questions_.ask(questions_.limits_of(trace.count));
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
    RewriteLimits limits = questions_.limits_of(std::nullopt);
    limits.trace_predicates = true;
    const auto told = questions_.ask(limits);
    if (!told) return tl::unexpected(told.error());
    if (told->state != State::fails || !told->trace.asking) return std::string("outside the predicates of its passes");
    const RewriteVisit& node = *told->trace.asking;
    return "when the predicate of " + printable(node.site.pass, 100) + " is asked about '" +
           printable(node.site.output, 100) + "' (" + printable(node.op_type, 100) + ")";
  }

  bool finish(const RewriteAnswer& all) {
    result_.complete = !result_.found.empty() && !questions_.flickers();
    if (questions_.flickers()) stop("the failure flickers: this is likely, not certain");
    if (result_.found.empty()) stop("the pass list is right" + (all.message.empty() ? "" : ": " + all.message));
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
      if (!questions_.may_ask()) {
        stop(fmt::format("it is among the rewrites {} to {}, but {} questions are all that may be asked",
                         range.below + 1, range.above, options_.most_asked));
        return Answer();
      }
      auto answer = questions_.ask(questions_.limits_of(budget));
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
    for (std::uint64_t number = range.below + 1; number <= last && questions_.may_ask(); ++number) {
      const RewriteVisit& visit = trace.visits[number - 1];
      if (questions_.is_left_out(visit.site)) continue;
      questions_.leave_out(visit.site);
      auto without = questions_.ask(questions_.limits_of(std::nullopt));
      if (!without) return tl::unexpected(without.error());
      if (without->state == State::right) {
        BadRewrite bad{number, trace.count, visit, without->fingerprint, range.failing.fingerprint, true};
        if (auto ok = confirm_removal(bad); !ok) return tl::unexpected(ok.error());
        bad.checks = questions_.asked() - before;
        stop(fmt::format("rewrite {}: without it the pass list is right; with no more than {} rewrites {}",
                         name_of(bad), number, between_));
        result_.found.push_back(std::move(bad));
        return true;
      }
      questions_.put_back_last();
      if (without->state != State::ended) continue;
      stop(among + "; " + without->message);
      has_ended_ = true;
      return false;
    }
    stop(among);
    return false;
  }

  /// The first of the range makes what is right fail in another way: seen on both sides, so it is a bad rewrite, if not
  /// of this failure, which may show by itself without it.
  Result<bool> take_another(const Range& range, const RewriteTrace& trace, std::size_t before) {
    if (others_ >= options_.most_others || !questions_.may_ask() || range.below >= trace.visits.size()) return false;
    const RewriteVisit& visit = trace.visits[range.below];
    if (questions_.is_left_out(visit.site)) return false;
    BadRewrite bad{range.below + 1, trace.count, visit, range.right.fingerprint, {}};
    const auto other = questions_.ask(questions_.limits_of(bad.number));
    if (!other) return tl::unexpected(other.error());
    if (other->state != State::unknown) return false;
    bad.after = other->fingerprint;
    bad.otherwise = other->message;
    const auto confirmed =
        questions_.confirm(questions_.limits_of(range.below), questions_.limits_of(bad.number), bad, State::unknown);
    if (!confirmed) return tl::unexpected(confirmed.error());
    if (bad.held < bad.asked) return false;
    bad.checks = questions_.asked() - before;
    if (result_.found.empty() || result_.found.back().otherwise.empty()) in_vain_ = result_.message;
    result_.message.clear();
    ++others_;
    questions_.leave_out(visit.site);
    result_.found.push_back(std::move(bad));
    return true;
  }

  /// Others are told only where they were in the way of one that is found behind them.
  void tell_others() {
    const bool was_in_vain = !result_.found.empty() && !result_.found.back().otherwise.empty();
    while (!result_.found.empty() && !result_.found.back().otherwise.empty()) result_.found.pop_back();
    if (was_in_vain) stop(in_vain_);
    for (const BadRewrite& bad : result_.found) {
      if (bad.otherwise.empty()) continue;
      stop(result_.message + (result_.message.empty() ? "" : "; ") +
           fmt::format("rewrite {} goes wrong in another way, and was left out to see this: {}", name_of(bad),
                       bad.otherwise));
    }
  }

  Result<bool> take(const Range& range, const RewriteTrace& trace, std::size_t before) {
    BadRewrite bad;
    bad.number = range.above;
    bad.of = trace.count;
    bad.before = range.right.fingerprint;
    bad.after = range.failing.fingerprint;
    const auto confirmed =
        questions_.confirm(questions_.limits_of(range.below), questions_.limits_of(range.above), bad);
    if (!confirmed) return tl::unexpected(confirmed.error());
    if (range.above > trace.visits.size()) {
      stop(fmt::format("rewrite {} of {} is bad, but only {} were traced", range.above, trace.count,
                       trace.visits.size()));
      return false;
    }
    bad.visit = trace.visits[range.above - 1];
    bad.checks = questions_.asked() - before;
    if (bad.before == bad.after && bad.before != Hash128{}) {
      stop("rewrite " + name_of(bad) + " changes nothing, and yet fails: the failure flickers");
      return false;
    }
    if (questions_.is_left_out(bad.visit.site)) {
      stop("rewrite " + name_of(bad) + " cannot be left out");
      return false;
    }
    questions_.leave_out(bad.visit.site);
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

  /// Runs with it and without it again.
  Result<void> confirm_removal(BadRewrite& bad) {
    const RewriteLimits without = questions_.limits_of(std::nullopt);
    RewriteLimits with = without;
    std::erase(with.skip, bad.visit.site);
    return questions_.confirm(without, with, bad);
  }

  RewriteQuestions questions_;
  const RewriteSearchOptions& options_;
  RewriteSearch result_;
  std::size_t others_ = 0;
  std::string in_vain_;     ///< what is said where all that was found is of other failures
  bool has_ended_ = false;  ///< nothing is tried any more
  std::string between_;     ///< what all visits between two say, where none says anything about the failure
};

}  // namespace

Result<RewriteSearch> find_bad_rewrites(const RewriteOracle& oracle, const RewriteSearchOptions& options) {
  auto result = RewriteSearcher(oracle, options).run();
  return result;
}

}  // namespace culprit
