#include "check/decisions/decision_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "check/decisions/rounding_ties.h"
#include "judge/draw_results.h"
#include "model/probability_outputs.h"
#include "record/level_words.h"
#include "statistics/mcnemar.h"
#include "stream/run_stream.h"
#include "task/choose_task.h"
#include "tensor/pack_file.h"
#include "tensor/steps.h"
#include "trial/draw_runs.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_drawn = 64;   // samples, one by one
constexpr std::size_t many_by_draw = 5;  // samples that one draw changes: from here on only their number tells
constexpr int compared_draw = 1;         // 4 units in the last place (judge/draw_results.h)
constexpr std::size_t most_worst = 2;    // samples of a task that knows no decisions
constexpr std::uint64_t seed_of_order = 1;
constexpr double seconds_of_a_chunk = 2;  // about, under a budget: what is begun is finished

/// Of one sample with what two models make of it; 0 where nothing is known.
std::uint64_t bytes_of_a_sample(const Reference& reference) {
  std::error_code ignored;
  std::uint64_t bytes = 0;
  if (!reference.samples.empty()) bytes += fs::file_size(reference.samples.front(), ignored);
  if (!reference.outputs.empty()) bytes += 2 * fs::file_size(reference.outputs.front(), ignored);
  return bytes;
}

/// The seconds that so many models need for a sample, if each is as fast as the original was.
double seconds_of_a_sample(const Reference& reference, std::size_t models) {
  const std::vector<double>& took = reference.took.samples;
  if (took.empty()) return 0;
  return std::accumulate(took.begin(), took.end(), 0.0) * static_cast<double>(models) /
         static_cast<double>(took.size());
}

/// Those that differ most stand first.
std::vector<std::int64_t> surest_first(const StreamedResult& result) {
  std::vector<std::int64_t> order;
  const std::set<std::int64_t> changed(result.changed.begin(), result.changed.end());
  for (const WorstDecision& worst : result.decisions.worst)
    if (changed.contains(worst.sample)) order.push_back(worst.sample);
  for (const std::int64_t number : result.changed)
    if (std::ranges::find(order, number) == order.end()) order.push_back(number);
  return order;
}

/// "120 of 600 samples were looked at"
std::string looked_at_text(std::int64_t seen, std::int64_t all) {
  return fmt::format("{} of {} samples were looked at", seen, all);
}

std::string message_of(const VariantDecisions& record, std::int64_t all) {
  const DecisionRecord& decisions = record.decisions;
  std::string text = fmt::format("{} of {} predictions ({}) differ {}", decisions.changed, decisions.samples,
                                 decisions.task, words_of_level(record.level));
  if (!decisions.traits.counts_decisions)
    text = fmt::format("plain numbers of {} samples were compared {}, and no predictions (task tensor)",
                       decisions.samples, words_of_level(record.level));
  if (decisions.ties > 0) text += fmt::format(", {} of them ties", decisions.ties);
  const std::string by_draw = fmt::format("; rounding alone (one draw of it) changes {}", record.by_draw);
  if (record.is_more_than_rounding)
    text += by_draw + ", and so many more are no accident (McNemar's test, 1 %)";
  else if (record.by_draw > 0)
    text += by_draw;
  if (record.failures > 0)
    text += fmt::format("; it fails or cannot be compared on {}",
                        std::to_string(record.failures) + (record.failures == 1 ? " sample" : " samples"));
  if (record.not_reached > 0)
    text += "; " + looked_at_text(all - record.not_reached, all) + " before the time was spent";
  return text;
}

}  // namespace

Result<Warning> decisions_not_judged(const Error& error) {
  if (error.kind == ErrorKind::interrupted || error.kind == ErrorKind::io || error.kind == ErrorKind::usage)
    return tl::unexpected(error);
  return Warning{"decisions_not_judged", "what is decided on all of the data was not compared: " + error.text()};
}

DecisionScan::DecisionScan(Dispatcher& dispatcher, const DecisionData& data, Level level, fs::path folder,
                           std::function<void(std::int64_t, std::int64_t)> progress)
    : dispatcher_(dispatcher), data_(data), level_(level), folder_(std::move(folder)), progress_(std::move(progress)) {}

Result<void> DecisionScan::choose_task(const Reference& reference) {
  if (reference.outputs.empty()) return fail(ErrorKind::internal, "the original gave no outputs");
  const auto outputs = read_pack(reference.outputs.front());
  if (!outputs) return tl::unexpected(outputs.error());
  const auto inputs = read_pack(reference.samples.front());
  if (!inputs) return tl::unexpected(inputs.error());
  TaskSettings settings = data_.settings;
  settings.fed_back = fed_back_among(*inputs, *outputs);
  settings.probabilities = probability_outputs(reference.model);
  auto choice = task_for(data_.task, facts_of(*outputs, settings.fed_back), *outputs, settings);
  if (!choice) return tl::unexpected(choice.error());
  task_ = std::move(choice->task);
  return {};
}

StreamedModel DecisionScan::original(const Reference& reference, Level level) const {
  StreamedModel model;
  model.job.model = reference.model.path;
  model.job.session = reference.session;
  model.job.session.level = level;
  model.job.limits = reference.options.limits;
  return model;
}

Result<StreamReport> DecisionScan::stream(const Reference& reference, const std::vector<StreamedModel>& models,
                                          std::vector<std::int64_t> numbers, const Stop& is_time_up) {
  StreamOptions options;
  options.folder = folder_ / "chunks";
  if (auto ok = make_folder(options.folder); !ok) return tl::unexpected(ok.error());
  options.samples_per_chunk = samples_for_a_chunk(bytes_of_a_sample(reference), true);
  if (is_time_up)  // time is short: chunks that are soon done
    options.samples_per_chunk =
        std::min(options.samples_per_chunk,
                 samples_for_seconds(seconds_of_a_chunk, seconds_of_a_sample(reference, models.size())));
  options.places = data_.places;
  options.each_sample = reference.options.limits;
  options.is_time_up = is_time_up;
  const auto total = static_cast<std::int64_t>(numbers.size());
  if (progress_) options.progress = [&](std::int64_t done) { progress_(done, total); };
  auto report = run_stream(dispatcher_, data_.source, std::move(numbers), models, *task_, options);
  remove_folder(options.folder);
  if (report && report->is_interrupted) return fail(ErrorKind::interrupted, "interrupted");
  return report;
}

/// Where not all of them may be reached, the order is one by chance: those that are reached stand for all.
std::vector<std::int64_t> DecisionScan::order() const {
  std::vector<std::int64_t> numbers;
  if (!dispatcher_.is_limited()) return data_.numbers;
  for (const std::int64_t place : shuffled(static_cast<std::int64_t>(data_.numbers.size()), seed_of_order))
    numbers.push_back(data_.numbers[static_cast<std::size_t>(place)]);
  return numbers;
}

Result<ScannedVariant> DecisionScan::scan(const Reference& reference, const RunnableVariant& variant) {
  StreamedModel held{job_for(variant, reference, {}), variant.binding.outputs};
  held.job.samples.clear();
  held.job.limits = reference.options.limits;
  held.job.original_took.reset();
  if (!variant.in_session) held.job.session.level = level_;
  const Level of_original = variant.in_session ? reference.session.level : level_;
  const std::vector<StreamedModel> models = {original(reference, of_original), std::move(held)};
  std::vector<std::int64_t> numbers = order();
  auto streamed = stream(reference, models, numbers, dispatcher_.time_is_spent());
  if (!streamed) return tl::unexpected(streamed.error());
  const auto all = static_cast<std::int64_t>(numbers.size());
  numbers.resize(static_cast<std::size_t>(all - streamed->not_reached));
  if (streamed->not_reached > 0)
    dispatcher_.must_skip("decisions on the whole data set: " + looked_at_text(all - streamed->not_reached, all));
  StreamedResult& result = streamed->models[1];
  std::ranges::sort(result.changed);
  ScannedVariant scanned;
  scanned.record.level = std::string(name_of(models[1].job.session.level));
  scanned.record.failures = result.failures;
  scanned.record.not_reached = streamed->not_reached;
  std::set<std::int64_t> fails_itself;
  for (const SkippedSample& sample : streamed->models[0].failed) fails_itself.insert(sample.number);
  for (const SkippedSample& sample : result.failed)
    if (!fails_itself.contains(sample.number)) scanned.failed.push_back(sample.number);
  if (auto ok = judge_changes(reference, models, result, numbers, scanned); !ok) return tl::unexpected(ok.error());
  const std::int64_t ties = scanned.record.decisions.ties;
  scanned.record.decisions = std::move(result.decisions);
  scanned.record.decisions.ties = ties;
  for (const WorstDecision& worst : scanned.record.decisions.worst)
    scanned.record.worst.push_back({worst, data_.source.name(worst.sample)});
  scanned.record.message = message_of(scanned.record, all);
  return scanned;
}

Result<void> DecisionScan::judge_changes(const Reference& reference, const std::vector<StreamedModel>& models,
                                         const StreamedResult& result, const std::vector<std::int64_t>& numbers,
                                         ScannedVariant& scanned) {
  for (const WorstDecision& worst : result.decisions.worst)
    if (result.changed.empty() && worst.margin > 0 && scanned.worst.size() < most_worst)
      scanned.worst.push_back(worst.sample);
  if (result.changed.empty()) return {};
  std::vector<std::int64_t> asked = surest_first(result);
  const bool are_all_asked = asked.size() <= most_drawn;
  asked.resize(std::min(asked.size(), most_drawn));
  const auto ties =
      find_ties(dispatcher_, {reference, data_.source, *task_, models[0], models[1], asked, folder_ / "ties"});
  if (!ties) return tl::unexpected(ties.error());
  scanned.record.decisions.ties = static_cast<std::int64_t>(ties->size());
  for (const std::int64_t number : asked)
    if (!ties->contains(number)) scanned.beyond.push_back(number);
  if (scanned.beyond.empty() && are_all_asked) return {};
  return compare_with_draw(reference, result, numbers, scanned);
}

/// One draw on all samples that were looked at: does rounding change as many decisions as the variant does? What was
/// found is not believed without, so this is not cut short.
Result<void> DecisionScan::compare_with_draw(const Reference& reference, const StreamedResult& result,
                                             const std::vector<std::int64_t>& numbers, ScannedVariant& scanned) {
  if (reference.options.draws <= compared_draw || !Draws(dispatcher_, reference, folder_ / "unused").possible())
    return {};
  const StreamedModel plain = original(reference, reference.session.level);
  StreamedModel drawn = plain;
  drawn.job.perturbation = Perturbation{compared_draw + 1, ulps_of_draw(compared_draw)};
  const auto streamed = stream(reference, {plain, drawn}, numbers, {});
  if (!streamed) return tl::unexpected(streamed.error());
  const auto& by_draw = streamed->models[1].changed;
  const std::set<std::int64_t> of_draw(by_draw.begin(), by_draw.end());
  const auto both = std::ranges::count_if(result.changed, [&](std::int64_t one) { return of_draw.contains(one); });
  const auto only_variant = static_cast<std::int64_t>(result.changed.size()) - both;
  const auto only_draw = static_cast<std::int64_t>(of_draw.size()) - both;
  scanned.record.by_draw = static_cast<std::int64_t>(of_draw.size());
  scanned.record.is_more_than_rounding = is_significantly_more(only_variant, only_draw);
  if (of_draw.size() >= many_by_draw && !scanned.record.is_more_than_rounding) scanned.beyond.clear();
  if (scanned.beyond.empty() && scanned.record.is_more_than_rounding) scanned.beyond = surest_first(result);
  return {};
}

}  // namespace culprit
