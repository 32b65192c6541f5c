#include "reduce/reduce.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/stopwatch.h"
#include "reduce/open_sizes.h"

namespace culprit {
namespace {

constexpr std::size_t most_repeats = 5;  // of a case whose failure flickers

/// How often a case failed in fresh runs.
struct ShownCase {
  std::size_t yes = 0, asked = 0;
  [[nodiscard]] bool always() const { return yes == asked; }
};

/// A case that was seen to fail in fresh runs, one for each delta that did something.
struct Good {
  Case a_case;
  ShownCase shown;
};

class Reducer {
 public:
  Reducer(const Case& start, std::span<const Delta> deltas, const ReduceTools& tools)
      : deltas_(deltas), tools_(tools), current_(start), size_(size_of(start)) {
    result_.before = size_;
    for (const Delta& delta : deltas) result_.deltas.push_back({delta.name});
  }

  Result<Reduction> run() {
    const Stopwatch watch;
    auto done = begin();
    if (done && result_.end != Reduction::End::not_shown) done = rounds();
    if (done && result_.end == Reduction::End::done) done = confirm();
    if (!done && done.error().kind != ErrorKind::interrupted) return tl::unexpected(done.error());
    if (!done) result_.end = Reduction::End::interrupted;
    // Every step was seen to fail; where the user stops, those of the last delta have not been looked at again.
    result_.best = current_;
    result_.after = size_;
    if (!good_.empty()) {
      result_.shown = good_.back().shown.yes;
      result_.asked = good_.back().shown.asked;
    }
    result_.seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  Result<void> begin() {
    auto shown = look_again(current_, tools_.confirmations);
    if (!shown) return tl::unexpected(shown.error());
    good_.push_back({current_, *shown});
    if (shown->yes == 0) result_.end = Reduction::End::not_shown;
    return {};
  }

  Result<void> rounds() {
    CaseSize before;
    do {
      before = size_;
      for (std::size_t i = 0; i < deltas_.size(); ++i) {
        if (auto ok = run_delta(i); !ok) return ok;
        if (is_over()) {
          result_.end = Reduction::End::time_up;
          return {};
        }
      }
    } while (size_ < before);
    return {};
  }

  [[nodiscard]] bool is_over() const { return tools_.is_time_up && tools_.is_time_up(); }

  Result<void> run_delta(std::size_t number) {
    number_ = number;
    const Stopwatch watch;
    const std::size_t accepted = facts().accepted;
    const Delta& delta = deltas_[number];
    auto done = delta.way == Delta::Way::listed ? list(delta) : halve(delta);
    if (done && facts().accepted > accepted) done = verify();
    facts().seconds += watch.seconds();
    return done;
  }

  DeltaFacts& facts() { return result_.deltas[number_]; }

  // --- the two ways

  Result<void> list(const Delta& delta) {
    for (bool goes_on = true; goes_on && !is_over();) {
      goes_on = false;
      auto count = count_of(delta);
      if (!count) return tl::unexpected(count.error());
      for (std::size_t at = 0; at < *count && !goes_on && !is_over();) {
        auto step = try_from(delta, at, *count, 1);
        if (!step) return tl::unexpected(step.error());
        goes_on = step->has_value();
      }
    }
    return {};
  }

  Result<void> halve(const Delta& delta) {
    auto count = count_of(delta);
    if (!count) return tl::unexpected(count.error());
    for (std::size_t chunk = *count; chunk > 0 && !is_over(); chunk = chunk == 1 ? 0 : (chunk + 1) / 2) {
      for (std::size_t at = 0; at < *count && !is_over();) {
        auto step = try_from(delta, at, *count, chunk);
        if (!step) return tl::unexpected(step.error());
        if (!*step) continue;
        const auto after = count_of(delta);
        if (!after) return tl::unexpected(after.error());
        // Places that were done are mostly gone: what was behind them has moved up.
        at = *after < *count ? **step : **step + chunk;
        count = after;
      }
      chunk = std::min(chunk, std::max<std::size_t>(*count, 1));
    }
    return {};
  }

  struct Candidate {
    std::size_t at = 0;
    Case a_case;
    CaseSize size;
    Hash128 key;
  };

  /// Asks about a batch of chunks from `at` on, and moves `at` behind it. Where the first of them that still fails
  /// begins, taken; nothing where none does.
  Result<std::optional<std::size_t>> try_from(const Delta& delta, std::size_t& at, std::size_t count,
                                              std::size_t chunk) {
    std::vector<Candidate> batch;
    const View view(current_, values_);
    for (; at < count && batch.size() < std::max<std::size_t>(tools_.oracle.places(), 1); at += chunk) {
      auto made = delta.apply(view, at, std::min(at + chunk, count));
      if (made) consider(std::move(*made), delta, at, batch);
    }
    if (batch.empty()) return std::nullopt;
    auto answers = ask(batch);
    if (!answers) return tl::unexpected(answers.error());
    const auto first = std::ranges::find(*answers, true);
    if (first == answers->end()) return std::nullopt;
    Candidate& taken = batch[static_cast<std::size_t>(first - answers->begin())];
    if (auto ok = accept(std::move(taken.a_case), taken.size); !ok) return tl::unexpected(ok.error());
    return taken.at;
  }

  /// Only what is smaller, and was not refused before.
  void consider(Case made, const Delta& delta, std::size_t at, std::vector<Candidate>& batch) {
    const CaseSize size = size_of(made);
    if (!(size < size_)) return;
    const Hash128 key = key_of(made, delta.to_the_letter);
    if (refused_.contains(key)) {
      ++result_.remembered;
      return;
    }
    batch.push_back({at, std::move(made), size, key});
  }

  // --- asking

  /// Asks once more about those that declare types which are no longer true, where none still fails, with these types
  /// left open; then they stand so in the batch.
  Result<std::vector<bool>> ask(std::vector<Candidate>& batch) {
    auto answers = ask_often(batch);
    if (!answers) return tl::unexpected(answers.error());
    std::vector<std::size_t> places;
    std::vector<Candidate> opened;
    const bool none = std::ranges::find(*answers, Answer::yes) == answers->end();
    for (std::size_t i = 0; i < batch.size() && none; ++i) {
      auto open = (*answers)[i] == Answer::mistyped ? with_open_sizes(batch[i].a_case) : std::nullopt;
      if (!open) continue;
      const CaseSize size = size_of(*open);
      opened.push_back({batch[i].at, std::move(*open), size, batch[i].key});
      places.push_back(i);
    }
    if (!opened.empty()) {
      auto more = ask_often(opened);
      if (!more) return tl::unexpected(more.error());
      for (std::size_t i = 0; i < opened.size(); ++i) {
        (*answers)[places[i]] = (*more)[i];
        batch[places[i]] = std::move(opened[i]);
      }
    }
    std::vector<bool> yes;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      yes.push_back((*answers)[i] == Answer::yes);
      if (!yes[i]) refused_.insert(batch[i].key);
    }
    return yes;
  }

  Result<std::vector<Answer>> ask_often(const std::vector<Candidate>& batch) {
    std::vector<Case> cases(batch.size());
    std::ranges::transform(batch, cases.begin(), &Candidate::a_case);
    std::vector<Answer> answers(batch.size(), Answer::no);
    for (std::size_t time = 0; time < (result_.flickers ? most_repeats : 1); ++time) {
      auto now = tools_.oracle.ask(cases, /*fresh=*/time > 0);
      if (!now) return now;
      result_.checks += cases.size();
      facts().checks += cases.size();
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (answers[i] != Answer::yes) answers[i] = (*now)[i];
      }
      if (std::ranges::find(answers, Answer::yes) != answers.end()) break;  // what comes of it is looked at again
    }
    tell(facts().name);
    return answers;
  }

  /// In fresh processes; more often where it is known to flicker.
  Result<ShownCase> look_again(const Case& a_case, std::size_t times) {
    ShownCase shown;
    const std::vector<Case> one{a_case};
    while (shown.asked < (result_.flickers ? most_repeats : std::max<std::size_t>(times, 1))) {
      auto now = tools_.oracle.ask(one, /*fresh=*/true);
      if (!now) return tl::unexpected(now.error());
      ++result_.checks;
      ++shown.asked;
      if (now->front() == Answer::yes) ++shown.yes;
      if (!shown.always() && shown.yes > 0) result_.flickers = true;
    }
    return shown;
  }

  // --- steps

  Result<void> accept(Case better, const CaseSize& size) {
    current_ = std::move(better);
    size_ = size;
    values_.clear();
    ++facts().accepted;
    tell(facts().name);
    return tools_.on_better ? tools_.on_better(current_, size_, facts().name) : Result<void>();
  }

  /// Does what the delta made still fail? Else its steps are taken back, and from now on everything is asked more than
  /// once.
  Result<void> verify() {
    auto shown = look_again(current_, 1);
    if (!shown) return tl::unexpected(shown.error());
    facts().checks += shown->asked;
    if (is_often_enough(*shown)) {
      good_.push_back({current_, *shown});
      return {};
    }
    refused_.insert({key_of(current_, false), key_of(current_, true)});
    return go_back();
  }

  /// At least half as often as the case did at first.
  [[nodiscard]] bool is_often_enough(const ShownCase& shown) const {
    const ShownCase& first = good_.front().shown;
    return shown.yes > 0 && 2 * shown.yes * first.asked >= first.yes * shown.asked;
  }

  /// To the last case that was seen to fail in a fresh run.
  Result<void> go_back() {
    ++result_.lost;
    result_.flickers = true;
    current_ = good_.back().a_case;
    size_ = size_of(current_);
    values_.clear();
    return tools_.on_better ? tools_.on_better(current_, size_, "lost") : Result<void>();
  }

  /// Once more, as often as the starting case. What does not stand this is given up for what came before it.
  Result<void> confirm() {
    while (good_.size() > 1) {
      auto shown = look_again(good_.back().a_case, tools_.confirmations);
      if (!shown) return tl::unexpected(shown.error());
      good_.back().shown = *shown;
      if (is_often_enough(*shown)) return {};
      good_.pop_back();
      if (auto ok = go_back(); !ok) return ok;
    }
    return {};
  }

  /// Counts the places of a delta, with the inner values that it wants.
  Result<std::size_t> count_of(const Delta& delta) {
    if (delta.wants && tools_.recorder != nullptr) {
      if (auto ok = know(delta.wants(*current_.model)); !ok) return tl::unexpected(ok.error());
    }
    return delta.count(View(current_, values_));
  }

  Result<void> know(std::vector<std::string> names) {
    std::erase_if(names, [&](const std::string& name) {
      return !values_.empty() &&
             std::ranges::all_of(values_, [&](const auto& sample) { return sample.contains(name); });
    });
    if (names.empty()) return {};
    auto more = tools_.recorder->capture(current_, names);
    if (!more) return tl::unexpected(more.error());
    values_.resize(current_.samples.size());
    for (std::size_t i = 0; i < std::min(more->size(), values_.size()); ++i) values_[i].merge((*more)[i]);
    return {};
  }

  void tell(const std::string& delta) const {
    if (tools_.progress) tools_.progress(delta, size_, result_.checks);
  }

  std::span<const Delta> deltas_;
  const ReduceTools& tools_;
  Case current_;
  CaseSize size_;
  std::vector<Good> good_;  // the starting case first
  Captured values_;
  std::set<Hash128> refused_;
  std::size_t number_ = 0;  // of the delta at work
  Reduction result_;
};

}  // namespace

Result<Reduction> reduce(const Case& start, std::span<const Delta> deltas, const ReduceTools& tools) {
  return Reducer(start, deltas, tools).run();
}

}  // namespace culprit
