#include "check/decisions/rounding_ties.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/folder.h"
#include "judge/draw_results.h"
#include "stream/chunk_reader.h"
#include "trial/draw_runs.h"
#include "trial/other_decision.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr int at_once = 3;  // draws

/// A sample whose decision is another one, and no tie so far.
struct Open {
  std::int64_t number = 0;
  fs::path pack;
  std::unique_ptr<Decision> original = {}, variant = {};
};

class TieSearch {
 public:
  TieSearch(Dispatcher& dispatcher, const TieQuestion& question) : dispatcher_(dispatcher), question_(question) {}

  Result<std::set<std::int64_t>> run() {
    auto ok = read().and_then([&] { return decide(); }).and_then([&] { return draw(); });
    remove_folder(question_.folder);
    if (!ok) return tl::unexpected(ok.error());
    return std::move(ties_);
  }

 private:
  Result<void> read() {
    const auto chunk = read_chunk(question_.source, question_.numbers, question_.reference.options.limits,
                                  question_.folder, dispatcher_.interrupted());
    if (!chunk) return tl::unexpected(chunk.error());
    for (std::size_t i = 0; i < chunk->packs.size(); ++i) open_.push_back({chunk->numbers[i], chunk->packs[i].file()});
    return {};
  }

  [[nodiscard]] std::optional<SampleText> text_of(const Open& sample) const {
    return question_.source.text(sample.number);
  }

  [[nodiscard]] std::vector<fs::path> packs() const {
    std::vector<fs::path> packs;
    for (const Open& sample : open_) packs.push_back(sample.pack);
    return packs;
  }

  /// Runs a model on all samples that are open.
  Result<std::vector<fs::path>> outputs_of(RunJob job, const std::string& name) {
    job.samples = packs();
    job.folder = question_.folder / name;
    std::vector<fs::path> outputs;
    dispatcher_.run(std::move(job), [&](const RunOutcome& outcome) { outputs = outcome.outputs; });
    if (auto ok = dispatcher_.drain(); !ok) return tl::unexpected(ok.error());
    return outputs;
  }

  /// What both decided on the stream; it must show again.
  Result<void> decide() {
    if (open_.empty()) return {};
    const auto original = outputs_of(question_.original.job, "original");
    if (!original) return tl::unexpected(original.error());
    const auto variant = outputs_of(question_.variant.job, "variant");
    if (!variant) return tl::unexpected(variant.error());
    std::vector<Open> decided;
    for (std::size_t i = 0; i < std::min({open_.size(), original->size(), variant->size()}); ++i) {
      const auto text = text_of(open_[i]);
      auto before = decide_on(question_.task, text ? &*text : nullptr, (*original)[i]);
      auto after = decide_on(question_.task, text ? &*text : nullptr, (*variant)[i], question_.variant.outputs);
      if (!before || !after) continue;
      open_[i].original = std::move(*before);
      open_[i].variant = std::move(*after);
      decided.push_back(std::move(open_[i]));
    }
    open_ = std::move(decided);
    return {};
  }

  /// First the original as it is, without the runtime's optimizations; then draws.
  Result<void> draw() {
    if (auto ok = try_draws(-1, 0); !ok) return ok;
    Draws draws(dispatcher_, question_.reference, question_.folder / "unused");
    if (!draws.possible()) return {};
    const int most = question_.reference.options.draws;
    for (int first = 0; first < most && !open_.empty(); first += at_once)
      if (auto ok = try_draws(first, std::min(first + at_once, most)); !ok) return ok;
    return {};
  }

  Result<void> try_draws(int from, int to) {
    std::map<int, std::vector<fs::path>> by_draw;
    for (int number = from; number < to && !open_.empty(); ++number) {
      dispatcher_.run(job_of(number),
                      [&by_draw, number](const RunOutcome& outcome) { by_draw[number] = outcome.outputs; });
    }
    if (auto ok = dispatcher_.drain(); !ok) return ok;
    std::set<std::int64_t> found;
    for (const auto& [number, outputs] : by_draw) note_ties(outputs, found);
    std::erase_if(open_, [&](const Open& sample) { return found.contains(sample.number); });
    ties_.merge(found);
    for (int number = from; number < to; ++number) remove_folder(folder_of(number));
    return {};
  }

  /// -1: the original itself.
  [[nodiscard]] RunJob job_of(int number) const {
    RunJob job;
    job.model = question_.reference.model.path;
    job.session = question_.reference.session;
    job.limits = question_.reference.options.limits;
    job.samples = packs();
    job.folder = folder_of(number);
    if (number >= 0) job.perturbation = Perturbation{static_cast<std::uint64_t>(number) + 1, ulps_of_draw(number)};
    return job;
  }

  [[nodiscard]] fs::path folder_of(int number) const { return question_.folder / ("draw-" + std::to_string(number)); }

  void note_ties(const std::vector<fs::path>& outputs, std::set<std::int64_t>& found) const {
    for (std::size_t i = 0; i < std::min(outputs.size(), open_.size()); ++i) {
      const auto text = text_of(open_[i]);
      const auto drawn = decide_on(question_.task, text ? &*text : nullptr, outputs[i]);
      if (!drawn) continue;
      const auto alike = question_.task.changes_alike(*open_[i].original, *open_[i].variant, **drawn);
      if (alike && *alike) found.insert(open_[i].number);
    }
  }

  Dispatcher& dispatcher_;
  const TieQuestion& question_;
  std::vector<Open> open_;
  std::set<std::int64_t> ties_;
};

}  // namespace

Result<std::set<std::int64_t>> find_ties(Dispatcher& dispatcher, const TieQuestion& question) {
  return TieSearch(dispatcher, question).run();
}

}  // namespace culprit
