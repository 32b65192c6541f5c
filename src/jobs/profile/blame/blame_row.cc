#include "profile/blame/blame_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/hash.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "model/model.h"
#include "model/model_diff.h"
#include "profile/time_plan.h"

namespace culprit {
namespace {

/// What comes with any file of an optimizer, and slows it down.
constexpr const char* became_inputs = "constants_became_inputs";

/// So many blocks every question has, however long they take: with fewer there is no sure answer (statistics/looks.h).
constexpr std::int64_t blocks_of_two_looks = 14;

class RowBlame {
 public:
  RowBlame(const BlamedRow& row, const ProfileOptions& options, const ProfileTools& tools)
      : row_(row), options_(options), tools_(tools) {}

  Result<BlameRecord> run() {
    auto steps = steps_of_row();
    if (!steps) return tl::unexpected(steps.error());
    BlameSearch search{row_.row.name, row_.asked, std::move(*steps)};
    search.without_steps = without_steps();
    search.is_time_up = row_.is_time_up;
    search.seconds_a_question = static_cast<double>(blocks_of_two_looks) * row_.seconds_a_block;
    search.foretell = [&](const BlameAhead& ahead) { foretell(ahead); };
    auto record = blame_steps(search, [&](const std::vector<std::string>& some) { return speed_of(some); });
    if (record) record->workaround = workaround(*record);
    return record;
  }

 private:
  void foretell(const BlameAhead& ahead) const {
    if (!tools_.say) return;
    const std::string time = ahead.seconds > 0 ? ", about " + human_seconds(ahead.seconds) : "";
    tools_.say(fmt::format("blame: question {} of {} at most about {}{} to come", ahead.asked + 1,
                           ahead.asked + ahead.questions, row_.row.name, time));
  }

  [[nodiscard]] bool is_in_session() const { return !row_.row.recipe.has_value(); }

  [[nodiscard]] WithoutSteps without_steps() const {
    if (is_in_session()) return row_.is_other_model ? WithoutSteps::other_model : WithoutSteps::session;
    return row_.is_other_model ? WithoutSteps::other_written_model : WithoutSteps::written_file;
  }

  /// The steps of a row; of a runtime only those that may have touched the model, as it says itself.
  Result<std::vector<std::string>> steps_of_row() {
    if (!is_in_session()) return row_.row.recipe->passes;
    std::vector<std::string> all;
    for (const StepBundle& bundle : row_.optimizer.bundles)
      if (bundle.name == row_.optimizer.level) all = bundle.steps;
    const ProfiledRow& row = row_.row;
    const auto& off = row.session.disabled_steps;
    std::erase_if(all, [&](const std::string& step) { return std::ranges::find(off, step) != off.end(); });
    if (!runs_on_cpu(row.session.provider)) return all;  // it is asked on the CPU, where others touch the model
    const auto executor = tools_.executor(row.library);
    if (!executor) return tl::unexpected(executor.error());
    OptimizeJob job;
    job.model = row_.models[row.model].model.path;
    job.optimizer = row_.optimizer.name;
    job.recipes = {recipe_of(row_.optimizer, all)};
    job.folder = tools_.folder / "touched";
    job.limits = options_.limits;
    std::vector<std::string> touched;
    Dispatcher dispatcher(**executor);
    dispatcher.optimize(
        job, [](const ImportOutcome& /*import*/) {},
        [&](const VariantOutcome& outcome) { touched = suspects_of(row_.optimizer, outcome.touched); });
    if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
    std::erase_if(touched, [&](const std::string& step) { return std::ranges::find(all, step) == all.end(); });
    return touched.empty() ? all : touched;
  }

  [[nodiscard]] ProfiledRow with_steps(const std::vector<std::string>& steps) const {
    ProfiledRow row = row_.row;
    if (is_in_session())
      row.session.disabled_steps = recipe_of(row_.optimizer, steps).disabled;
    else
      row.recipe = recipe_of(row_.optimizer, steps, row.recipe->repeat);
    return row;
  }

  /// What was measured of the same graph before is not measured again.
  Result<SpeedOfSteps> speed_of(const std::vector<std::string>& steps) {
    const std::vector<ProfiledRow> one{with_steps(steps)};
    ProfileTools tools = tools_;
    tools.folder = tools_.folder / fmt::format("blame-{}", asked_++);
    tools.say = {};
    auto made = make_rows(row_.models, one, options_, tools);
    if (!made) return tl::unexpected(made.error());
    const std::string graph = graph_of(made->front());
    if (const auto known = known_.find(graph); known != known_.end() && !graph.empty()) return known->second;
    auto speed = measured(made->front());
    if (!speed) return speed;
    if (steps.empty() && !is_in_session()) speed->ops_changed = ops_changed_in(made->front());
    if (!speed->is_cut) known_.emplace(graph, *speed).first->second.seconds = 0;
    return speed;
  }

  /// Nothing where the file cannot be read: what it was asked for is known by then.
  [[nodiscard]] std::map<std::string, std::int64_t> ops_changed_in(const MadeRow& made) const {
    const auto written = load_model(made.measured.job.model);
    if (!written) return {};
    return ops_changed(*row_.models[row_.row.model].model.proto, *written->proto);
  }

  /// The bytes of what runs, hashed; "" where the runtime did not save it.
  static std::string graph_of(const MadeRow& made) {
    const auto bytes = made.as_run.empty() ? Result<std::string>("") : read_file(made.as_run);
    return bytes && !bytes->empty() ? hash128(*bytes).hex() : "";
  }

  Result<SpeedOfSteps> measured(const MadeRow& made) {
    SpeedOfSteps answer;
    const auto warned = std::ranges::find(made.warnings, became_inputs, &Warning::code);
    if (warned != made.warnings.end()) answer.known_cause = became_inputs;
    answer.verdict = SpeedVerdict::failed;
    if (made.failure.failed()) return answer;
    SpeedOptions speed = options_.speed;
    speed.until_sure = true;
    std::int64_t blocks = 0;
    speed.progress = [&](const SpeedSoFar& so_far) { blocks = so_far.blocks; };
    const Stopwatch watch;
    speed.is_time_up = [&, watch] {
      answer.is_cut = is_stopped(row_.is_time_up);
      const bool is_spent = blocks >= blocks_of_two_looks && watch.seconds() >= row_.seconds_a_question;
      return answer.is_cut || is_spent || is_stopped(tools_.is_interrupted);
    };
    const auto report = measure_speed(tools_.blocks, {row_.baseline, made.measured}, speed);
    if (!report) return tl::unexpected(report.error());
    if (report->is_interrupted || is_stopped(tools_.is_interrupted)) return ended_early();
    answer.ratio = report->models[1].ratio;
    answer.verdict = report->models[1].verdict;
    answer.seconds = watch.seconds();
    return answer;
  }

  [[nodiscard]] std::string workaround(const BlameRecord& record) const {
    if (row_.asked == SpeedVerdict::faster) return "";
    if (record.because == became_inputs)
      return "take the weights out of the model's inputs before it is optimized: then they stay constants";
    if (record.steps.empty()) return "";
    if (is_in_session()) return fmt::format("{}={}", disabling_entry, join(record.steps, ";"));
    return "leave out " + join(record.steps, ", ");
  }

  const BlamedRow& row_;
  const ProfileOptions& options_;
  const ProfileTools& tools_;
  std::map<std::string, SpeedOfSteps> known_;  ///< by graph
  std::size_t asked_ = 0;
};

}  // namespace

Result<BlameRecord> blame_row(const BlamedRow& row, const ProfileOptions& options, const ProfileTools& tools) {
  return RowBlame(row, options, tools).run();
}

}  // namespace culprit
