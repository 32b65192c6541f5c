#include "localize/rewrite_questions.h"

#include <algorithm>

namespace culprit {

RewriteLimits RewriteQuestions::limits_of(std::optional<std::uint64_t> budget) const {
  return RewriteLimits{.budget = budget, .skip = skip_, .trace = !budget};
}

Result<RewriteAnswer> RewriteQuestions::ask(const RewriteLimits& limits) {
  ++asked_;
  auto answer = oracle_(limits, 0);
  for (std::size_t again = 1; again <= options_.doubts; ++again) {
    if (!answer || answer->state != State::right) break;
    ++asked_;
    auto doubted = oracle_(limits, again);
    if (doubted && doubted->state == State::right) continue;
    if (doubted && doubted->state == State::fails) flickers_ = true;
    return doubted;
  }
  return answer;
}

Result<RewriteAnswer> RewriteQuestions::ask_again(const RewriteLimits& limits, std::size_t again) {
  ++asked_;
  return oracle_(limits, options_.doubts + again);
}

Result<void> RewriteQuestions::confirm(const RewriteLimits& right, const RewriteLimits& failing, BadRewrite& bad,
                                       State expected) {
  bad.asked = bad.held = 1;  // the search itself saw it
  for (std::size_t again = 1; again <= options_.confirmations; ++again) {
    const auto below = ask_again(right, again);
    if (!below) return tl::unexpected(below.error());
    const auto above = ask_again(failing, again);
    if (!above) return tl::unexpected(above.error());
    if (below->state == State::ended || above->state == State::ended) break;
    ++bad.asked;
    if (below->state == State::right && above->state == expected) ++bad.held;
  }
  if (bad.held < bad.asked) flickers_ = true;
  return {};
}

bool RewriteQuestions::is_left_out(const RewriteSite& site) const {
  return std::ranges::find(skip_, site) != skip_.end();
}

}  // namespace culprit
