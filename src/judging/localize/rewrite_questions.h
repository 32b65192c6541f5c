#pragma once
// What a search for bad rewrites asks of its oracle: limited recipes, from which those found are left out. Counts what
// is asked, and sees whether one question is answered in two ways.

#include "localize/rewrite_search.h"

namespace culprit {

class RewriteQuestions {
 public:
  using State = RewriteAnswer::State;

  RewriteQuestions(const RewriteOracle& oracle, const RewriteSearchOptions& options)
      : oracle_(oracle), options_(options) {}

  /// The recipe up to a budget, or all of it with its visits, without those left out.
  [[nodiscard]] RewriteLimits limits_of(std::optional<std::uint64_t> budget) const;

  /// A failure is believed at once, `right` when it was said as often as there are doubts.
  Result<RewriteAnswer> ask(const RewriteLimits& limits);

  /// Both sides again, as often as there are confirmations: `held` and `asked` of `bad`.
  Result<void> confirm(const RewriteLimits& right, const RewriteLimits& failing, BadRewrite& bad,
                       State expected = State::fails);

  void leave_out(const RewriteSite& site) { skip_.push_back(site); }
  void put_back_last() { skip_.pop_back(); }
  [[nodiscard]] bool is_left_out(const RewriteSite& site) const;

  [[nodiscard]] std::size_t asked() const { return asked_; }
  [[nodiscard]] bool may_ask() const { return asked_ < options_.most_asked; }
  [[nodiscard]] bool flickers() const { return flickers_; }

 private:
  Result<RewriteAnswer> ask_again(const RewriteLimits& limits, std::size_t again);

  const RewriteOracle& oracle_;
  const RewriteSearchOptions& options_;
  std::vector<RewriteSite> skip_;
  std::size_t asked_ = 0;
  bool flickers_ = false;
};

}  // namespace culprit
