#include "cli/commands/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/machine_facts.h"
#include "app/plan_campaign.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/lower_case.h"
#include "base/shell_words.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "campaign/campaign_record.h"
#include "campaign/case_outcome.h"
#include "campaign/case_processes.h"
#include "campaign/outcome_cache.h"
#include "campaign/ray_cases.h"
#include "campaign/run_cases.h"
#include "cli/bring_models.h"
#include "cli/case_frame.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "process/interrupt.h"
#include "report/campaign_report.h"
#include "report/layout.h"
#include "store/case_store.h"
#include "task/choose_task.h"

namespace culprit {
namespace {

Result<Shard> shard_named(const std::string& text) {
  const auto slash = text.find('/');
  const auto wrong = [&] {
    return fail(ErrorKind::usage, "--shard: '" + printable(text, 60) + "' is no part of a campaign",
                "such as --shard 1/3, and 2/3 and 3/3 elsewhere");
  };
  if (slash == std::string::npos) return wrong();
  constexpr std::int64_t most = 100000;
  const auto count = whole_number("--shard", text.substr(slash + 1), 1, most);
  if (!count) return wrong();
  const auto index = whole_number("--shard", text.substr(0, slash), 1, *count);
  if (!index) return wrong();
  return Shard{static_cast<int>(*index), static_cast<int>(*count)};
}

fs::path run_folder_of(const RunArguments& arguments) {
  if (!arguments.run_dir.empty()) return arguments.run_dir;
  std::string name = arguments.campaign.stem().string();
  if (arguments.shard) name += fmt::format("-{}-of-{}", arguments.shard->index, arguments.shard->count);
  return fs::path(".culprit") / name;
}

Result<void> tasks_must_be_known(const CampaignFile& campaign) {
  for (const auto& [tag, task] : campaign.tasks)
    if (const auto known = choice("tasks", task, task_names()); !known)
      return fail(ErrorKind::bad_input, printable(campaign.file.string(), 300) + ": " + known.error().message,
                  known.error().hint);
  return {};
}

/// A tag in `tasks:` that no model has is most likely misspelt.
void tell_unused_tasks(const CampaignFile& campaign, const std::set<std::string>& tags, Terminal& terminal) {
  for (const auto& [tag, task] : campaign.tasks)
    if (!tags.contains(tag))
      terminal.complain(
          "tasks: no model of the campaign has the tag '" + printable(tag, 100) + "', so none is judged as " + task +
          (tags.empty() ? "" : "; there are " + join(std::vector<std::string>(tags.begin(), tags.end()), ", ")));
}

/// All cases of the campaign, from whose folder everything goes on from here.
Result<std::vector<CaseOrder>> orders_in_their_folder(const fs::path& file, Terminal& terminal) {
  const auto campaign = read_campaign(file);
  if (!campaign) return tl::unexpected(campaign.error());
  if (auto ok = tasks_must_be_known(*campaign); !ok) return tl::unexpected(ok.error());
  std::set<std::string> tags;
  const auto ask_hub = [&](const std::string& word) -> Result<std::vector<HubChoice>> {
    auto hubs = hubs_for(terminal, campaign->folder());
    if (!hubs) return tl::unexpected(hubs.error());
    auto choices = hubs->meant_by(word);
    tell_notes(*hubs, terminal);
    if (!choices) return choices;
    for (const HubChoice& choice : *choices)
      for (const std::string& tag : choice.tags) tags.insert(lower_case(tag));
    return choices;
  };
  auto orders = orders_of(*campaign, ask_hub);  // before: complaints name folders as the user did
  if (!orders) return orders;
  tell_unused_tasks(*campaign, tags, terminal);
  std::error_code error;
  fs::current_path(campaign->folder(), error);
  if (error)
    return fail(ErrorKind::io, "cannot go into " + printable(campaign->folder().string()) + ": " + error.message());
  return orders;
}

/// A run that was killed before it had a store has left no more than this.
bool holds_only_a_beginning(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_empty_folder = name == campaign_cases_name && fs::is_empty(entry.path(), error);
    if (!name.starts_with(campaign_store_name) && !is_empty_folder) return false;
  }
  return !error;
}

/// A folder is begun once, and then gone on with where one says so.
Result<void> expect_fresh_or_resumed(const fs::path& folder, bool resume) {
  std::error_code error;
  const bool has_store = fs::exists(folder / campaign_store_name, error);
  if (has_store && !resume)
    return fail(ErrorKind::usage, printable(folder.string()) + " holds a campaign that was begun",
                "--resume goes on with it; --run-dir names another folder");
  if (!has_store && fs::exists(folder, error) && !holds_only_a_beginning(folder))
    return fail(ErrorKind::usage, printable(folder.string()) + " holds files that are of no campaign",
                "name a new or an empty folder with --run-dir");
  return {};
}

/// Everything of one `culprit run`.
class CampaignRun {
 public:
  CampaignRun(const RunArguments& arguments, Terminal& terminal) : arguments_(arguments), terminal_(terminal) {}

  Result<int> run() {
    const fs::path shown = run_folder_of(arguments_);
    const fs::path folder = fs::absolute(shown);
    const fs::path cache = arguments_.cache.empty() ? fs::path() : fs::absolute(arguments_.cache);
    if (!arguments_.list)
      if (auto ok = expect_fresh_or_resumed(shown, arguments_.resume); !ok) return tl::unexpected(ok.error());
    const auto orders = orders_in_their_folder(arguments_.campaign, terminal_);
    if (!orders) return tl::unexpected(orders.error());
    const auto cases = planned(*orders);
    if (!cases) return tl::unexpected(cases.error());
    if (arguments_.list) return list(*cases);
    if (auto ok = choose_runner({own_program(), fs::current_path(), folder / campaign_cases_name}); !ok)
      return tl::unexpected(ok.error());
    if (auto ok = open_cache(cache); !ok) return tl::unexpected(ok.error());
    if (auto ok = make_folder(folder / campaign_cases_name); !ok) return tl::unexpected(ok.error());
    auto store = CaseStore::open(folder / campaign_store_name);
    if (!store) return tl::unexpected(store.error());
    if (auto ok = store->plan(*cases); !ok) return tl::unexpected(ok.error());
    const auto end = run_all(*store, folder);
    if (!end) return tl::unexpected(end.error());
    return tell_end(*store, *cases, shown, *end);
  }

 private:
  Result<std::vector<PlannedCase>> planned(const std::vector<CaseOrder>& orders) {
    terminal_.progress(0, 0,
                       fmt::format("reading what {} ask", counted(static_cast<std::int64_t>(orders.size()), "case")));
    std::optional<ModelHubs> hubs;
    const auto bring = [&](const std::string& word) -> Result<fs::path> {
      if (!hubs) {
        auto made = hubs_for(terminal_);
        if (!made) return tl::unexpected(made.error());
        hubs.emplace(std::move(*made));
      }
      return hubs->bring(word);
    };
    auto plan = plan_campaign(orders, frame_of_case, interrupt_requested, bring);
    terminal_.clear_progress();
    if (hubs) tell_notes(*hubs, terminal_);
    if (plan)
      for (const std::string& model : plan->not_brought) terminal_.complain("left out: " + model);
    lacks_models_ = plan && !plan->not_brought.empty();
    if (!plan) return tl::unexpected(plan.error());
    if (plan->same > 0)
      terminal_.complain(
          fmt::format("{} of {} cases ask the same as others, with models of equal contents: they run once", plan->same,
                      orders.size()));
    if (!plan->left_out.empty())
      terminal_.complain("left out, for the optimizer has none of these steps: " + join(plan->left_out, "; "));
    return std::move(plan->cases);
  }

  Result<int> list(const std::vector<PlannedCase>& cases) {
    std::string text;
    for (const PlannedCase& planned : cases) {
      if (arguments_.shard && !is_in(*arguments_.shard, planned.key)) continue;
      const auto order = order_of(planned.description);
      if (!order) return tl::unexpected(order.error());
      text += command_of(*order) + "\n";
    }
    return terminal_.print(text).map([] { return exit_code::nothing_wrong; });
  }

  Result<RunEnd> run_all(CaseStore& store, const fs::path& folder) {
    RunSettings settings;
    settings.jobs = jobs_;
    settings.shard = arguments_.shard;
    settings.stop_after_faults = arguments_.stop_after_faults;
    settings.again = arguments_.try_again;
    settings.is_interrupted = interrupt_requested;
    const fs::path cases = folder / campaign_cases_name;
    const auto outcome = [&](const CaseOrder& order, const CaseEnd& end) {
      auto judged = outcome_of(order, end, folder_of_case(cases, end.key));
      if (judged && cache_) keep_in_cache(order, end.key, *judged, folder_of_case(cases, end.key));
      return judged;
    };
    if (cache_)
      if (auto ok = take_from_cache(store, cases); !ok) return tl::unexpected(ok.error());
    const auto tell = [&](const RunProgress& progress) { tell_progress(progress); };
    auto end = run_cases(settings, {store, *runner_, outcome, tell});
    terminal_.clear_progress();
    return end;
  }

  Result<void> take_from_cache(CaseStore& store, const fs::path& cases) {
    const auto known = take_known_outcomes(store, *cache_, arguments_.shard, cases, interrupt_requested);
    if (!known) return tl::unexpected(known.error());
    if (*known > 0) terminal_.complain(counted(*known, "case") + " came from the cache, and did not run");
    return {};
  }

  /// A cache that is full, or gone, costs time later and nothing else; it is told once.
  void keep_in_cache(const CaseOrder& order, const CaseKey& key, const CaseOutcome& outcome, const fs::path& folder) {
    const auto kept = cache_->keep(order, key, outcome, folder);
    if (kept || is_cache_told_) return;
    terminal_.complain("the cache takes no more: " + kept.error().text());
    is_cache_told_ = true;
  }

  Result<void> open_cache(const fs::path& folder) {
    if (folder.empty()) return {};
    auto cache = OutcomeCache::open(folder, {this_machine().cpu, own_program()});
    if (!cache) return fail(ErrorKind::usage, "--cache: " + cache.error().message, "name a folder that can be written");
    cache_ = std::move(*cache);
    return {};
  }

  /// Who runs cases, and how many at once.
  Result<void> choose_runner(const CasePlaces& places) {
    jobs_ = jobs_at_once(arguments_.jobs);
    if (arguments_.ray.empty()) {
      runner_ = std::make_unique<CaseProcesses>(places);
      return {};
    }
    terminal_.progress(0, 0, "waiting for Ray");
    auto cases = RayCases::connect({arguments_.ray, python_with_ray()}, places, interrupt_requested);
    terminal_.clear_progress();
    if (!cases) return tl::unexpected(cases.error());
    if (arguments_.jobs == 0) jobs_ = static_cast<std::size_t>(std::max((*cases)->cpus(), 1));
    runner_ = std::move(*cases);
    return {};
  }

  void tell_progress(const RunProgress& progress) {
    std::string what;
    if (progress.faults > 0) what += counted(progress.faults, "faulty case") + ", ";
    if (progress.seconds_left && *progress.seconds_left >= 1) what += human_seconds(*progress.seconds_left) + " left, ";
    if (!terminal_.look().progress) return tell_on_lines(progress, what);
    terminal_.progress(static_cast<std::size_t>(progress.done), static_cast<std::size_t>(progress.total),
                       what + printable(progress.what, 200));
  }

  /// Without a terminal: each fault, and now and then how far it is.
  void tell_on_lines(const RunProgress& progress, const std::string& what) {
    constexpr double seldom = 10;  // seconds
    const bool is_time = progress.done > told_ && watch_.seconds() - told_at_ >= seldom;
    if (arguments_.quiet || (progress.faulty.empty() && !is_time)) return;
    told_ = progress.done;
    told_at_ = watch_.seconds();
    const std::string fault = progress.faulty.empty() ? "" : "fault in " + progress.faulty;
    terminal_.progress_line(static_cast<std::size_t>(progress.done), static_cast<std::size_t>(progress.total),
                            fault.empty() ? what + progress.what : fault);
  }

  Result<int> tell_end(const CaseStore& store, const std::vector<PlannedCase>& cases, const fs::path& shown,
                       RunEnd end) {
    RecordFilter filter;
    filter.cases.shard = arguments_.shard;
    filter.keys.emplace();
    for (const PlannedCase& planned : cases) filter.keys->insert(planned.key);
    const auto record = read_record(store, filter);
    if (!record) return tl::unexpected(record.error());
    const Look& look = terminal_.look();
    const CampaignStyle style{look.colour, look.width, false, shown};
    const std::string more =
        fmt::format("\n`culprit show {}` shows it again, in other forms, too\n", shell_quoted(shown.string()));
    if (auto ok = terminal_.print(campaign_as_text(*record, style) + more); !ok) return tl::unexpected(ok.error());
    const std::int64_t left = record->cases_in(CaseState::waiting);
    if (end != RunEnd::all_done)
      terminal_.complain(fmt::format("{}: {} left; the same command with --resume goes on",
                                     end == RunEnd::interrupted ? "interrupted" : "there are enough faults",
                                     counted(left, "case")));
    if (end == RunEnd::interrupted) return exit_code::interrupted;
    if (record->cases_in(OutcomeStatus::fault) > 0) return exit_code::fault;
    const bool open = record->cases_in(OutcomeStatus::inconclusive) + record->cases_in(OutcomeStatus::failed) > 0;
    return open || lacks_models_ ? exit_code::cannot_judge : exit_code::nothing_wrong;
  }

  const RunArguments& arguments_;
  Terminal& terminal_;
  std::unique_ptr<CaseRunner> runner_;
  std::size_t jobs_ = 1;
  Stopwatch watch_;
  std::int64_t told_ = 0;  // cases that were done when a line was written, and when that was
  double told_at_ = 0;
  std::optional<OutcomeCache> cache_;
  bool is_cache_told_ = false;
  bool lacks_models_ = false;  // of a hub, which cannot be had
};

}  // namespace

void add_run(CommandParser& parser, RunCampaignFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "run",
       .heading = heading_check,
       .about = "Check many models in many ways: a campaign, which goes on where it was stopped",
       .examples = {"culprit run campaign.yaml", "culprit run campaign.yaml --resume",
                    "culprit run campaign.yaml --shard 1/3 --run-dir runs/1", "culprit run campaign.yaml --on ray"},
       .paragraphs =
           {"A campaign is a file such as\n"
            "  models: [models/*.onnx]\n"
            "  optimizers: [onnx_optimizer, onnxruntime]\n"
            "Every model is checked with every optimizer. docs/campaigns.md tells of all that can stand there."},
       .exit_codes =
           "Exit codes: 0 nothing wrong, 1 a fault that is not known, 2 wrong usage, 3 some cases could not be "
           "judged, 4 internal error, 130 interrupted."});
  command.word("CAMPAIGN", flags.campaign, type_file, "The .yaml that says what is tried with what").required();
  command.value("--run-dir", flags.run_dir, type_folder).with_default("the campaign's name in .culprit");
  command.toggle("--resume", flags.resume);
  command.toggle("--try-again", flags.try_again);
  command.value("--shard", flags.shard, "I/N");
  command.value("--stop-after-faults", flags.stop_after_faults, "N");
  command.value("--jobs", flags.jobs, "N").with_default("the number of cores, or of the cluster's CPUs");
  command.value("--on", flags.on, "WHERE");
  command.value("--cache", flags.cache, type_folder);
  command.toggle("--list", flags.list);
  command.toggle("--quiet", flags.quiet);
}

Result<RunArguments> resolve(const RunCampaignFlags& flags) {
  RunArguments arguments{flags.campaign, flags.run_dir};
  constexpr std::int64_t most_jobs = 1024, most_faults = 1000000000;
  if (!flags.jobs.empty()) {
    const auto jobs = whole_number("--jobs", flags.jobs, 1, most_jobs);
    if (!jobs) return tl::unexpected(jobs.error());
    arguments.jobs = static_cast<int>(*jobs);
  }
  if (!flags.on.empty() && flags.on != "ray" && !flags.on.starts_with("ray://"))
    return fail(ErrorKind::usage, "--on: '" + printable(flags.on, 60) + "' is no place where cases run",
                "ray, or ray://HOST:PORT");
  if (!flags.on.empty() && !flags.cache.empty())
    return fail(ErrorKind::usage, "--cache does not go with --on: it stands for the CPU of this machine",
                "leave out one of the two");
  arguments.ray = flags.on;
  if (!flags.shard.empty()) {
    const auto shard = shard_named(flags.shard);
    if (!shard) return tl::unexpected(shard.error());
    arguments.shard = *shard;
  }
  if (!flags.stop_after_faults.empty()) {
    const auto faults = whole_number("--stop-after-faults", flags.stop_after_faults, 1, most_faults);
    if (!faults) return tl::unexpected(faults.error());
    arguments.stop_after_faults = *faults;
  }
  arguments.resume = flags.resume;
  arguments.cache = flags.cache;
  arguments.try_again = flags.try_again;
  arguments.list = flags.list;
  arguments.quiet = flags.quiet;
  return arguments;
}

int run_campaign(const RunArguments& arguments, Terminal& terminal) {
  set_up_logging(arguments.quiet ? Verbosity::quiet : Verbosity::normal);
  if (arguments.quiet) terminal.silence_progress();
  watch_interrupts();
  const auto code = CampaignRun(arguments, terminal).run();
  if (code) return *code;
  terminal.clear_progress();
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
