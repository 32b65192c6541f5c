#include "baseline/further_samples.h"

#include <algorithm>
#include <system_error>

#include "base/folder.h"
#include "base/text.h"
#include "executor/run_and_wait.h"
#include "tensor/pack_file.h"
#include "trial/plain_reason.h"
#include "trial/weak_data.h"

namespace culprit {
namespace {

class FurtherTrial {
 public:
  FurtherTrial(Dispatcher& dispatcher, const Reference& reference, const Proposal& proposal, const FurtherRun& run)
      : dispatcher_(dispatcher), reference_(reference), proposal_(proposal), run_(run) {}

  Result<FurtherSamples> run(std::span<const fs::path> outputs) {
    if (auto ok = write(); !ok) return tl::unexpected(ok.error());
    std::size_t next = 0;
    while (next < packs_.size()) {
      const auto tried = run_from(next);
      if (!tried) return tl::unexpected(tried.error());
      next = *tried;
    }
    if (auto ok = drop_less_finite(outputs); !ok) return tl::unexpected(ok.error());
    remove_unused();
    return std::move(found_);
  }

 private:
  /// What cannot be made or written is left out, with those behind it.
  Result<void> write() {
    if (!make_folder(run_.samples)) return {};
    for (std::int64_t i = 0; i < proposal_.further; ++i) {
      const auto sample = proposal_.sample(proposal_.size() + static_cast<std::size_t>(i), dispatcher_.interrupted());
      const fs::path pack = run_.samples / (std::to_string(i) + ".pack");
      const auto written = sample ? write_pack(pack, sample->inputs, dispatcher_.interrupted())
                                  : Result<void>(tl::unexpected(sample.error()));
      if (is_stopped(dispatcher_.interrupted())) return ended_early();
      if (!written) break;
      packs_.push_back(pack);
    }
    return {};
  }

  /// Returns the number of the next one to be tried.
  Result<std::size_t> run_from(std::size_t first) {
    RunJob job;
    job.model = reference_.model.path;
    job.session = run_.session;
    job.samples.assign(packs_.begin() + static_cast<std::ptrdiff_t>(first), packs_.end());
    job.folder = run_.outputs / std::to_string(first);
    job.limits = reference_.options.limits;
    job.is_enough = dispatcher_.time_is_spent();
    const auto outcome = run_and_wait(dispatcher_, std::move(job));
    if (!outcome) return tl::unexpected(outcome.error());
    std::size_t next = first;
    for (const fs::path& output : outcome->outputs) {
      found_.samples.push_back(packs_[next]);
      found_.outputs.push_back(output);
      found_.words.push_back(words_of(next++));
    }
    const Failure& failure = outcome->failure;
    if (!failure.failed() || failure.skipped || failure.machine || next >= packs_.size()) return packs_.size();
    found_.refused.push_back("it does not run with " + words_of(next) + " (" +
                             printable(reason_of(failure.message), 200) + ")");
    const bool goes_on = failure.ending == Ending::threw && outcome->stage == RunOutcome::Stage::run;
    return goes_on ? next + 1 : packs_.size();
  }

  [[nodiscard]] std::string words_of(std::size_t which) const {
    return printable(which < proposal_.further_words.size() ? proposal_.further_words[which] : "other values", 200);
  }

  /// NaN and infinities hide what stands beside them.
  Result<void> drop_less_finite(std::span<const fs::path> outputs) {
    const auto before = shares_not_finite(outputs, dispatcher_.interrupted());
    const auto shares = shares_not_finite(found_.outputs, dispatcher_.interrupted());
    if (!before || !shares) return tl::unexpected(before ? shares.error() : before.error());
    const double most = before->empty() ? 0 : *std::ranges::max_element(*before);
    for (std::size_t i = shares->size(); i-- > 0;) {
      if ((*shares)[i] <= most) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      found_.samples.erase(found_.samples.begin() + at);
      found_.outputs.erase(found_.outputs.begin() + at);
      found_.words.erase(found_.words.begin() + at);
    }
    return {};
  }

  void remove_unused() const {
    std::error_code ignored;
    for (const fs::path& pack : packs_) {
      if (std::ranges::find(found_.samples, pack) == found_.samples.end()) fs::remove(pack, ignored);
    }
  }

  Dispatcher& dispatcher_;
  const Reference& reference_;
  const Proposal& proposal_;
  const FurtherRun& run_;
  std::vector<fs::path> packs_;
  FurtherSamples found_;
};

}  // namespace

Result<FurtherSamples> run_further(Dispatcher& dispatcher, const Reference& reference, const Proposal& proposal,
                                   const FurtherRun& run, std::span<const fs::path> outputs) {
  if (proposal.further == 0 || outputs.size() < proposal.size() || dispatcher.must_skip("further samples"))
    return FurtherSamples{};
  return FurtherTrial(dispatcher, reference, proposal, run).run(outputs);
}

}  // namespace culprit
