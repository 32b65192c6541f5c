// The way of a chunk: read by forks (chunk_reader.h) - run by each model, its slices in turns of workers that keep
// their session - compared by forks (compare_chunk.h) while the next chunk runs - its files removed.
#include "stream/run_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "stream/compare_chunk.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t bytes_of_a_chunk = std::uint64_t{64} << 20;
constexpr std::size_t most_in_a_chunk = 2048, most_where_it_may_end = 512;

/// What one model made of a chunk: the pack of each sample; none where it failed.
using Outputs = std::vector<std::optional<PackPlace>>;

/// How a chunk ran on one model.
struct RanModel {
  Outputs outputs;
  std::int64_t ran = 0, failures = 0;  // samples
  std::vector<SkippedSample> failed = {};
  double seconds = 0;
};

/// A chunk that has run. Nothing of it is in the report before all of it is compared.
struct RanChunk {
  SampleChunk samples;
  std::vector<RanModel> by_model;
  std::vector<std::optional<ChunkComparison>> comparisons = {};
};

/// What all models decided on the samples of a chunk.
class ToldChunk {
 public:
  ToldChunk(const std::vector<std::int64_t>& numbers, std::size_t models) {
    for (const std::int64_t number : numbers) samples_.push_back({number, "", std::vector<ToldModel>(models)});
  }

  /// They come in the order of the samples.
  void take(std::size_t model, std::vector<std::pair<std::int64_t, ToldModel>>&& told) {
    auto sample = samples_.begin();
    for (auto& [number, one] : told) {
      while (sample != samples_.end() && sample->number != number) ++sample;
      if (sample == samples_.end()) return;
      sample->models[model] = std::move(one);
    }
  }

  Result<void> pass_on(const SampleSource& source, const StreamOptions& options) {
    if (!options.told) return {};
    for (ToldSample& sample : samples_) {
      sample.name = source.name(sample.number);
      if (auto ok = options.told(sample); !ok) return ok;
    }
    return {};
  }

 private:
  std::vector<ToldSample> samples_;
};

class StreamRun {
 public:
  StreamRun(Dispatcher& dispatcher, const SampleSource& source, const std::vector<StreamedModel>& models,
            const DecisionTask& task, const StreamOptions& options)
      : dispatcher_(dispatcher), source_(source), models_(models), task_(task), options_(options) {
    report_.models.resize(models.size());
    for (std::size_t model = 0; model < models.size(); ++model) report_.models[model].unfit = models[model].unfit;
    refused_.resize(models.size());
  }

  Result<StreamReport> run(std::vector<std::int64_t> numbers) {
    if (auto ok = make_comparators(); !ok) return tl::unexpected(ok.error());
    total_ = static_cast<std::int64_t>(numbers.size());
    auto reader = make_chunk_reader(source_, std::move(numbers), reading());
    if (auto ok = run_all(*reader); !ok) {
      report_.is_interrupted = ok.error().kind == ErrorKind::interrupted && done_ > 0;
      if (!report_.is_interrupted) return tl::unexpected(ok.error());
    }
    if (is_anything_left()) report_.not_reached = total_ - done_;
    reader.reset();  // its numbers take 8 bytes a sample, and results need room, too
    return result();
  }

 private:
  Result<void> run_all(ChunkReader& reader) {
    std::optional<RanChunk> before;
    while (!is_enough_ && is_anything_left()) {
      auto chunk = next_of(reader);
      if (!chunk) return tl::unexpected(chunk.error());
      if (!*chunk) break;
      auto ran = run_chunk(std::move(**chunk));
      if (!ran) return tl::unexpected(ran.error());
      if (auto ok = start_comparing(*ran); !ok) return ok;
      if (auto ok = finish(before); !ok) return ok;
      before = std::move(*ran);
    }
    return finish(before);
  }

  [[nodiscard]] ReadingOptions reading() const {
    ReadingOptions reading;
    reading.samples_per_chunk = options_.samples_per_chunk;
    reading.first_chunk = std::min(options_.samples_per_chunk, most_where_it_may_end);
    reading.processes = options_.places;
    reading.each_sample = options_.each_sample;
    reading.folder = options_.folder;
    reading.bundles = true;
    return reading;
  }

  [[nodiscard]] bool is_time_up() const { return is_any_chunk_run_ && is_stopped(options_.is_time_up); }

  /// Nothing, too, when the time is up while it is read.
  Result<std::optional<SampleChunk>> next_of(ChunkReader& reader) {
    if (is_time_up()) return std::nullopt;
    auto chunk = reader.next([this] { return is_stopped(dispatcher_.interrupted()) || is_time_up(); });
    if (chunk || is_stopped(dispatcher_.interrupted()) || !is_time_up()) return chunk;
    if (chunk.error().kind == ErrorKind::interrupted) return std::nullopt;
    return chunk;
  }

  Result<void> make_comparators() {
    const ComparatorOptions own{options_.seed, [folder = options_.folder] { return open_spill(folder); },
                                options_.with_scores};
    for (std::size_t i = 0; i < models_.size(); ++i) {
      auto comparator = task_.comparator(own);
      if (!comparator) return tl::unexpected(comparator.error());
      comparators_.push_back(std::move(*comparator));
    }
    return {};
  }

  Result<RanChunk> run_chunk(SampleChunk samples) {
    is_any_chunk_run_ = true;
    RanChunk chunk{std::move(samples), std::vector<RanModel>(models_.size())};
    const std::size_t slices = std::max<std::size_t>(1, options_.places / models_.size());
    for (std::size_t model = 0; model < models_.size(); ++model) {
      chunk.by_model[model].outputs.resize(chunk.samples.packs.size());
      if (is_unfit(model)) continue;
      for (std::size_t slice = 0; slice < slices; ++slice) {
        const std::size_t begin = chunk.samples.packs.size() * slice / slices;
        const std::size_t end = chunk.samples.packs.size() * (slice + 1) / slices;
        run_slice(chunk, model, begin, end);
      }
    }
    if (auto ok = drain_all(); !ok) return tl::unexpected(ok.error());
    if (!machine_) return tl::unexpected(machine_.error());
    // No second chunk is needed to learn that a model cannot be loaded. (The first one has run on a sample before.)
    for (std::size_t model = 1; model < models_.size(); ++model)
      if (!is_unfit(model) && report_.models[model].ran + chunk.by_model[model].ran == 0)
        report_.models[model].unfit = refused_[model];
    return chunk;
  }

  [[nodiscard]] Dispatcher& dispatcher_of(std::size_t model) {
    return models_[model].dispatcher == nullptr ? dispatcher_ : *models_[model].dispatcher;
  }

  /// What one asks for while it is waited for, it asks of itself.
  Result<void> drain_all() {
    for (std::size_t model = 0; model < models_.size(); ++model)
      if (auto ok = dispatcher_of(model).drain(); !ok) return ok;
    return {};
  }

  [[nodiscard]] bool is_unfit(std::size_t model) const { return !report_.models[model].unfit.empty(); }

  [[nodiscard]] bool has_truth() const { return source_.has_truth() || options_.has_pairs; }

  [[nodiscard]] bool is_anything_left() const {
    if (models_.size() == 1 || has_truth()) return true;
    for (std::size_t model = 1; model < models_.size(); ++model)
      if (!is_unfit(model)) return true;
    return false;
  }

  void list(std::vector<SkippedSample>& listed, std::vector<SkippedSample>&& more) const {
    for (SkippedSample& one : more)
      if (listed.size() < options_.most_listed) listed.push_back(std::move(one));
  }

  void note(RanChunk& chunk) {
    report_.read += static_cast<std::int64_t>(chunk.samples.packs.size());
    report_.unreadable += static_cast<std::int64_t>(chunk.samples.skipped.size());
    done_ += static_cast<std::int64_t>(chunk.samples.numbers.size() + chunk.samples.skipped.size());
    list(report_.skipped, std::move(chunk.samples.skipped));
    for (std::size_t model = 0; model < models_.size(); ++model) {
      RanModel& ran = chunk.by_model[model];
      StreamedResult& result = report_.models[model];
      result.ran += ran.ran;
      result.failures += ran.failures;
      result.seconds += ran.seconds;
      list(result.failed, std::move(ran.failed));
    }
  }

  /// A sample on which the model fails costs that sample: the rest of the slice runs again behind it.
  void run_slice(RanChunk& chunk, std::size_t model, std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    RunJob job = models_[model].job;
    job.bundled = {{chunk.samples.packs.begin() + static_cast<std::ptrdiff_t>(begin),
                    chunk.samples.packs.begin() + static_cast<std::ptrdiff_t>(end)},
                   chunk.samples.folder / fmt::format("outputs-{}-{}.packs", model, begin)};
    job.keeps_session = true;
    dispatcher_of(model).run(std::move(job), [this, &chunk, model, begin, end](const RunOutcome& outcome) {
      RanModel& result = chunk.by_model[model];
      result.seconds += outcome.seconds_run;
      result.ran += static_cast<std::int64_t>(outcome.bundled.size());
      std::ranges::copy(outcome.bundled, result.outputs.begin() + static_cast<std::ptrdiff_t>(begin));
      const std::size_t failed = begin + outcome.bundled.size();
      if (!outcome.failure.failed() || failed >= end) return;
      if (outcome.failure.machine) {
        machine_ = fail(ErrorKind::io, outcome.failure.message);
        return;
      }
      const bool at_load = outcome.stage != RunOutcome::Stage::run;
      if (at_load) refused_[model] = "it cannot be loaded: " + printable(outcome.failure.message, 500);
      for (std::size_t sample = failed; sample < (at_load ? end : failed + 1); ++sample)
        note_failure(result, chunk.samples.numbers[sample], outcome);
      if (!at_load) run_slice(chunk, model, failed + 1, end);
    });
  }

  void note_failure(RanModel& result, std::int64_t number, const RunOutcome& outcome) {
    ++result.failures;
    if (result.failed.size() >= options_.most_listed) return;
    result.failed.push_back({number, source_.name(number), printable(outcome.failure.message, 500)});
  }

  /// The first model is not held against itself where others are held against it and there are no labels.
  [[nodiscard]] bool is_compared(std::size_t model) const {
    return model > 0 || models_.size() == 1 || has_truth() || options_.told;
  }

  /// A chunk stays in memory.
  [[nodiscard]] ComparatorOptions of_chunk() const { return {options_.seed, {}, options_.with_scores}; }

  Result<void> start_comparing(RanChunk& chunk) {
    chunk.comparisons.resize(models_.size());
    for (std::size_t model = 0; model < models_.size(); ++model) {
      if (!is_compared(model)) continue;
      ChunkToCompare pairs{{}, models_[model].outputs, options_.told != nullptr};
      for (std::size_t i = 0; i < chunk.samples.numbers.size(); ++i) {
        const auto& reference = chunk.by_model[0].outputs[i];
        const auto& variant = chunk.by_model[model].outputs[i];
        if (reference && variant) pairs.pairs.push_back({chunk.samples.numbers[i], *reference, *variant});
      }
      if (pairs.pairs.empty()) continue;
      auto comparison = ChunkComparison::start(task_, source_, std::move(pairs), of_chunk(), options_.folder,
                                               options_.each_sample.cpu_seconds);
      if (!comparison) return tl::unexpected(comparison.error());
      chunk.comparisons[model] = std::move(*comparison);
    }
    return {};
  }

  /// What the comparisons of a chunk say, all of them before any counts.
  Result<std::vector<ComparedChunk>> compared(RanChunk& chunk) {
    std::vector<ComparedChunk> all(models_.size());
    for (std::size_t model = 0; model < models_.size(); ++model) {
      if (!chunk.comparisons[model]) continue;
      auto result = chunk.comparisons[model]->result(dispatcher_.interrupted());
      if (!result) return tl::unexpected(result.error());
      all[model] = std::move(*result);
    }
    return all;
  }

  /// Takes what was found out of a chunk, and removes its files.
  Result<void> finish(std::optional<RanChunk>& chunk) {
    if (!chunk) return {};
    auto all = compared(*chunk);
    if (!all) return tl::unexpected(all.error());
    note(*chunk);
    ToldChunk told(chunk->samples.numbers, models_.size());
    for (std::size_t model = 0; model < models_.size(); ++model) {
      ComparedChunk& compared = (*all)[model];
      if (chunk->comparisons[model]) {
        if (auto ok = comparators_[model]->merge(compared.state); !ok) return ok;
        for (const ApartSample& sample : compared.apart) note_apart(model, sample);
        told.take(model, std::move(compared.told));
      }
      if (!is_compared(model)) continue;
      if (auto ok = tell(*chunk, model, compared); !ok) return ok;
    }
    if (auto ok = told.pass_on(source_, options_); !ok) return ok;
    remove_folder(chunk->samples.folder);
    if (options_.progress) options_.progress(done_);
    chunk.reset();
    return {};
  }

  /// As if the model had failed on it. What the first model itself gives nobody can read is noted of it, once.
  void note_apart(std::size_t model, const ApartSample& sample) {
    if (sample.is_of_reference && !unread_of_first_.insert(sample.number).second) return;
    StreamedResult& result = report_.models[sample.is_of_reference ? 0 : model];
    --result.ran;
    ++result.failures;
    if (result.failed.size() < options_.most_listed)
      result.failed.push_back(
          {sample.number, source_.name(sample.number), "cannot be compared: " + printable(sample.reason, 500)});
  }

  /// Whoever wants to stop early hears of each sample that the first model decides. One on which another model fails,
  /// or gives what cannot be compared, is one on which it does not agree.
  Result<void> tell(const RanChunk& chunk, std::size_t model, const ComparedChunk& compared) {
    if (!options_.is_enough) return {};
    std::set<std::int64_t> others, untold;
    for (const ApartSample& sample : compared.apart) (sample.is_of_reference ? untold : others).insert(sample.number);
    if (!compared.state.empty()) {
      auto part = task_.comparator(of_chunk());
      if (!part) return tl::unexpected(part.error());
      if (auto ok = (*part)->merge(compared.state); !ok) return ok;
      for (const std::int64_t number : (*part)->changed()) others.insert(number);
    }
    for (std::size_t i = 0; i < chunk.samples.numbers.size(); ++i) {
      const std::int64_t number = chunk.samples.numbers[i];
      if (!chunk.by_model[0].outputs[i] || untold.contains(number)) continue;
      const bool has_failed = !chunk.by_model[model].outputs[i];
      if (options_.is_enough(model, has_failed || others.contains(number))) is_enough_ = true;
    }
    return {};
  }

  Result<StreamReport> result() {
    for (std::size_t model = 0; model < models_.size(); ++model) {
      auto record = comparators_[model]->result();
      if (!record) return tl::unexpected(record.error());
      if (!is_compared(model)) record->samples = report_.models[model].ran;
      if (is_unfit(model)) report_.models[model].failures = total_ - report_.unreadable - report_.not_reached;
      report_.models[model].decisions = std::move(*record);
      report_.models[model].changed = comparators_[model]->changed();
    }
    return std::move(report_);
  }

  Dispatcher& dispatcher_;
  const SampleSource& source_;
  const std::vector<StreamedModel>& models_;
  const DecisionTask& task_;
  const StreamOptions& options_;
  std::vector<std::unique_ptr<Comparator>> comparators_;
  Result<void> machine_;
  StreamReport report_;
  std::set<std::int64_t> unread_of_first_;  // samples whose outputs of the first model the task cannot read
  std::vector<std::string> refused_;        // of each model: why it could not be loaded
  std::int64_t done_ = 0, total_ = 0;
  bool is_enough_ = false, is_any_chunk_run_ = false;
};

}  // namespace

Result<StreamReport> run_stream(Dispatcher& dispatcher, const SampleSource& source, std::vector<std::int64_t> numbers,
                                const std::vector<StreamedModel>& models, const DecisionTask& task,
                                const StreamOptions& options) {
  if (models.empty()) return fail(ErrorKind::internal, "a stream without a model");
  return StreamRun(dispatcher, source, models, task, options).run(std::move(numbers));
}

std::size_t samples_for_a_chunk(std::uint64_t bytes_of_one, bool may_end_early) {
  const std::uint64_t fit = bytes_of_a_chunk / std::max<std::uint64_t>(1, bytes_of_one);
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(fit, 1, may_end_early ? most_where_it_may_end : most_in_a_chunk));
}

std::size_t samples_for_seconds(double seconds, double seconds_of_one) {
  if (seconds_of_one <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(std::clamp(seconds / seconds_of_one, 1.0, 1e6));
}

}  // namespace culprit
