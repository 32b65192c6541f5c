#include "profile/measured_quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/folder.h"
#include "base/text.h"
#include "evaluate/evaluate.h"

namespace culprit {
namespace {

/// One pool and one dispatcher for each library of the runtime.
class Deciders {
 public:
  explicit Deciders(const ProfileTools& tools) : tools_(tools) {}

  Result<Dispatcher*> of(const std::filesystem::path& library) {
    Decider& decider = made_[library];
    if (decider.dispatcher) return decider.dispatcher.get();
    auto executor = tools_.deciding(library);
    if (!executor) return tl::unexpected(executor.error());
    decider.executor = std::move(*executor);
    decider.dispatcher = std::make_unique<Dispatcher>(*decider.executor);
    decider.dispatcher->limit({}, tools_.is_interrupted);
    return decider.dispatcher.get();
  }

 private:
  struct Decider {
    std::unique_ptr<Executor> executor;
    std::unique_ptr<Dispatcher> dispatcher;  // goes before the executor
  };
  const ProfileTools& tools_;
  std::map<std::filesystem::path, Decider> made_;
};

/// The given models that rows are made of, that of the first of these rows first.
std::vector<std::size_t> models_of_rows(const std::vector<ProfiledRow>& rows, const std::vector<std::size_t>& which) {
  std::vector<std::size_t> models;
  for (const std::size_t row : which)
    if (std::ranges::find(models, rows[row].model) == models.end()) models.push_back(rows[row].model);
  return models;
}

std::string samples_counted(std::int64_t count) { return fmt::format("{} sample{}", count, count == 1 ? "" : "s"); }

std::string sentence_on_labels(const EvaluationReport& evaluated) {
  const bool is_any_labelled =
      std::ranges::any_of(evaluated.models, [](const EvaluatedModel& model) { return model.decisions.labelled > 0; });
  if (is_any_labelled) return "";
  return evaluated.has_labels ? "the data have labels, and " + evaluated.task + " takes none of them"
                              : "the data have no labels, so only agreement with the baseline is told";
}

std::vector<std::string> lines_about(const EvaluationReport& evaluated) {
  std::vector<std::string> lines{"task " + evaluated.task + ": " + evaluated.task_reason +
                                 (evaluated.is_task_sure ? "" : " (not sure; --task names another)")};
  lines.insert(lines.end(), evaluated.data.begin(), evaluated.data.end());
  if (evaluated.unreadable > 0)
    lines.push_back(fmt::format("{} could not be read, and {} left out; the first: {}: {}",
                                samples_counted(evaluated.unreadable), evaluated.unreadable == 1 ? "is" : "are",
                                evaluated.skipped.front().name, evaluated.skipped.front().reason));
  if (auto said = sentence_on_labels(evaluated); !said.empty()) lines.push_back(std::move(said));
  return lines;
}

void take_row(const EvaluatedModel& row, ProfileEntry& entry) {
  if (!row.unfit.empty()) {
    entry.warnings.push_back({"quality_not_measured", row.unfit});
    return;
  }
  entry.quality = row.decisions;
  if (row.failures == 0) return;
  entry.warnings.push_back(
      {"quality_left_out",
       fmt::format("it decides nothing on {}, which the figures of quality leave out{}", samples_counted(row.failures),
                   row.failed.empty() ? "" : "; the first: " + row.failed[0].name + ": " + row.failed[0].reason)});
}

}  // namespace

void take_quality(const EvaluationReport& evaluated, const std::vector<std::size_t>& which, ProfileReport& report) {
  std::ranges::move(lines_about(evaluated), std::back_inserter(report.quality_about));
  report.warnings.insert(report.warnings.end(), evaluated.warnings.begin(), evaluated.warnings.end());
  for (std::size_t at = 0; at < which.size(); ++at) take_row(evaluated.models[at], report.entries[which[at]]);
}

Result<void> measure_quality(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                             const std::vector<MadeRow>& made, const std::vector<std::size_t>& which,
                             const ProfileOptions& options, const ProfileTools& tools, ProfileReport& report) {
  const auto used = models_of_rows(rows, which);
  std::vector<Model> evaluated;
  evaluated.reserve(used.size());
  for (const std::size_t model : used) evaluated.push_back(models[model].model);
  Deciders deciders(tools);
  EvaluateOptions evaluate_options = *options.quality;
  for (const std::size_t i : which) {
    const auto dispatcher = deciders.of(rows[i].library);
    if (!dispatcher) return tl::unexpected(dispatcher.error());
    const auto fed_as = static_cast<std::size_t>(std::ranges::find(used, rows[i].model) - used.begin());
    const auto& file = made[i].measured.job.model;
    evaluate_options.rows.push_back({fed_as, file == models[rows[i].model].model.path ? "" : file, rows[i].session,
                                     "'" + printable(rows[i].name, 100) + "'", *dispatcher});
  }
  const auto folder = tools.folder / "quality";
  if (auto ok = make_folder(folder); !ok) return ok;
  const auto progress = [&](std::int64_t done, std::int64_t total) {
    if (tools.say) tools.say(fmt::format("decisions: {} of {} samples", done, total));
  };
  const auto done =
      evaluate(evaluated, evaluate_options, {*evaluate_options.rows.front().dispatcher, folder, progress});
  remove_folder(folder);
  if (done && done->is_interrupted) return fail(ErrorKind::interrupted, "interrupted");
  if (done) {
    take_quality(*done, which, report);
    return {};
  }
  if (done.error().kind != ErrorKind::bad_input) return tl::unexpected(done.error());
  report.warnings.push_back({"quality_not_measured", done.error().text()});
  return {};
}

}  // namespace culprit
