#include "cli/commands/reduce.h"

#include <fmt/format.h>

#include "base/text.h"
#include "check/variants/plan.h"
#include "cli/check_paths.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "cli/machine_facts.h"
#include "cli/reduced_files.h"
#include "cli/run.h"
#include "data/sample_folders.h"
#include "process/interrupt.h"
#include "reduce/all_deltas.h"
#include "reduce/command_oracle.h"
#include "reduce/fault_oracle.h"
#include "reduce/record_inner_values.h"
#include "reduce/starting_case.h"
#include "report/layout.h"
#include "search/flaky.h"
#include "worker/pool.h"

namespace culprit {
namespace {

constexpr double usual_budget = 120;  // seconds

void add_fault_flags(const Flags& command, ReduceFlags& flags) {
  const Flags group = command.group("The fault (one of --passes and --check)");
  add_optimizer_flag(group, flags.check);
  group.values("--passes", flags.check.passes, type_passes, "What these passes do, in this order, is the fault");
  add_repeat_flag(group, flags.check);
  group.value("--check", flags.command, "CMD",
              "Shell command whose exit code is the verdict: 0, the fault is there. {model} stands for a model to try, "
              "{data} for its test_data_set_0. Of a command that fails where the fault is: '! CMD'");
}

constexpr const char* exit_codes =
    "Exit codes: 0 the reduced model is there (also where the time was spent), 1 the\n"
    "fault does not show on the model as it is, 2 wrong usage, 3 the model cannot be\n"
    "read or does not run, 4 internal error, 130 interrupted (the best so far is\n"
    "there).";

/// Those that the command can run: it knows no values that the fault is near.
std::vector<DeltaEntry> deltas_of_command() {
  std::vector<DeltaEntry> deltas;
  for (const DeltaEntry& entry : delta_entries()) {
    if (!entry.needs_values()) deltas.push_back(entry);
  }
  return deltas;
}

std::string delta_list() {
  constexpr int text_column = 19, width = 80;
  std::string text = "Deltas, the kinds of steps, in the order in which they are tried:\n";
  for (const DeltaEntry& entry : deltas_of_command()) {
    text += hanging(pad_right("  " + std::string(entry.name), text_column), std::string(entry.description), width);
  }
  return std::string(trim(text));
}

Result<std::vector<std::string>> chosen_deltas(const std::string& typed) {
  if (typed.empty()) return std::vector<std::string>();
  std::vector<std::string> choices;
  for (const DeltaEntry& entry : deltas_of_command()) choices.emplace_back(entry.name);
  auto names = name_list("--deltas", {typed}, "`culprit reduce --help` lists them");
  if (!names) return names;
  for (const std::string& name : *names) {
    if (const auto known = choice("--deltas", name, choices); !known) return tl::unexpected(known.error());
  }
  if (auto ok = each_once("--deltas", *names); !ok) return tl::unexpected(ok.error());
  return names;
}

}  // namespace

void add_reduce(CommandParser& parser, ReduceFlags& flags) {
  const Flags command =
      parser.add_command("reduce", "Make a model that shows a fault as small as it can be, and still show it",
                         "culprit reduce model.onnx --passes fuse_pad_into_pool -o reduced/model.onnx");
  command.explain_before_example(exit_codes);
  command.explain_before_example(delta_list());
  command.word("MODEL", flags.model, type_file, "ONNX file that shows the fault").required();
  command
      .value("-o,--output", flags.out, type_file,
             "Where the reduced model is written, with its test_data_set_0 beside it (in FILE.data_sets/ where other "
             "models lie there)")
      .required();
  add_fault_flags(command, flags);
  command.group("Steps").value("--deltas", flags.deltas, "NAME,...",
                               "Only these kinds of steps, in the order of the list below (default: all)");
  add_data_flags(command, flags.check);
  add_judge_flags(command, flags.check);
  add_running_flags(command, flags.check);
  command.declared("--budget").describe("Time for all (default 2m); then the best so far is what is left");
  command.declared("--confirm").describe("Fresh processes in which a result must show the fault again (default 2)");
  const Flags group = command.group("Output");
  group.value("--run-dir", flags.check.run_dir, type_folder, "Folder for the work (default: a new one in .culprit)");
  group.toggle("--quiet", flags.check.quiet, "No progress and no log");
  group.toggle("--verbose", flags.check.verbose, "Also what each kind of step did, and log");
}

Result<ReduceArguments> resolve(const ReduceFlags& flags) {
  if (flags.out == "-") return fail(ErrorKind::usage, "-o -: a model is not printed", "name a file");
  const bool has_passes = !flags.check.passes.empty();
  if (has_passes == !flags.command.empty()) {
    return fail(ErrorKind::usage,
                has_passes ? "--passes and --check contradict each other" : "neither --passes nor --check was given",
                "give the passes that `culprit check` blames, or a command that says whether the fault is there");
  }
  if (!flags.command.empty() && flags.command.find("{model}") == std::string::npos) {
    return fail(ErrorKind::usage, "--check names no {model}, so it would say the same of every model",
                "such as --check 'python3 /path/to/is_wrong.py {model}'");
  }
  auto deltas = chosen_deltas(flags.deltas);
  if (!deltas) return tl::unexpected(deltas.error());
  CheckFlags check = flags.check;
  check.models = {flags.model};
  return resolve(check).map([&](CheckArguments&& arguments) {
    if (arguments.budget == 0) arguments.budget = usual_budget;
    return ReduceArguments{std::move(arguments), flags.out, flags.command, std::move(*deltas)};
  });
}

namespace {

/// What is sought, and who says whether it is there.
struct Search {
  std::unique_ptr<Oracle> oracle;
  std::string signature;  ///< or the command
  std::string why_not;    ///< why there is nothing to seek; "" where there is
};

/// All of one run.
class Work {
 public:
  Work(Run& run, const ReduceArguments& arguments, ReducedFiles files)
      : run_(run), arguments_(arguments), files_(std::move(files)) {}

  Result<int> reduce_model() {
    auto folder = run_.folder.work_folder(0);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = *folder;
    const auto model = load_model(arguments_.check.models.front());
    if (!model) return tl::unexpected(as_unreadable(model.error()));
    if (auto ok = list_steps_for(run_, model->path); !ok) return tl::unexpected(ok.error());
    auto start = find_start(*model);
    if (!start) return tl::unexpected(start.error());
    auto search = find_fault(*start);
    if (!search) return tl::unexpected(search.error());
    if (!search->why_not.empty()) return not_there(search->why_not, *start);
    return reduce_case(*model, *start, *search);
  }

 private:
  static Error as_unreadable(Error error) {
    if (error.kind == ErrorKind::not_found || error.kind == ErrorKind::io) error.kind = ErrorKind::bad_input;
    return error;
  }

  [[nodiscard]] CheckTools check_tools() const {
    const Progress progress = [this](std::size_t, std::size_t, const std::string& what) {
      run_.terminal.progress(0, 0, what);
    };
    return {*run_.executor, run_.optimizer, folder_, progress};
  }

  Result<StartingCase> find_start(const Model& model) {
    const auto proposals = propose(model, arguments_.check.data);
    if (!proposals) return tl::unexpected(proposals.error());
    return find_samples(model, *proposals, run_.options.recipe, run_.options, check_tools());
  }

  Result<Search> find_fault(const StartingCase& start) {
    return arguments_.command.empty() ? fault_of_passes(start) : fault_of_command(start);
  }

  Result<Search> fault_of_passes(const StartingCase& start) {
    const auto plan = make_plan(run_.options, run_.optimizer);
    if (!plan) return tl::unexpected(plan.error());
    auto oracle =
        std::make_unique<FaultOracle>(*run_.executor, CaseTrialOptions{run_.options, start.session, true}, folder_);
    const auto sought = oracle->learn(start.a_case, {plan->front().recipe, plan->front().contract});
    if (!sought) return tl::unexpected(sought.error());
    Search search;
    if (!*sought) {
      const Symptom& symptom = oracle->symptom();
      search.why_not = name_of(plan->front()) + " is " + std::string(name_of(symptom.verdict)) + " here" +
                       (symptom.message.empty() ? "" : ": " + symptom.message);
      return search;
    }
    search.signature = (*sought)->signature;
    search.oracle = std::move(oracle);
    return search;
  }

  Result<Search> fault_of_command(const StartingCase& start) {
    CommandOptions options;
    options.command = arguments_.command;
    options.seconds = run_.options.limits.cpu_seconds;
    options.jobs = run_.executor->places();
    options.limits = run_.options.limits;
    options.folder = folder_;
    options.is_interrupted = interrupt_requested;
    auto oracle = std::make_unique<CommandOracle>(*run_.executor, std::move(options));
    if (auto ok = oracle->accept_complaint_of(start.a_case); !ok) return tl::unexpected(ok.error());
    return Search{std::move(oracle), "--check " + arguments_.command, ""};
  }

  Result<int> not_there(const std::string& why, const StartingCase& start) {
    const std::string where =
        fmt::format("{} on {} sample{} ({})", arguments_.check.models.front().string(), start.a_case.samples.size(),
                    start.a_case.samples.size() == 1 ? "" : "s", start.data);
    run_.terminal.complain("the fault does not show on " + where + ", so there is nothing to reduce: " + why +
                           ". Give the data on which it shows (--data, --input, --seed), or another command or recipe; "
                           "`culprit check` finds failing passes");
    for (const std::string& warning : start.warnings) run_.terminal.complain(warning);
    return exit_code::fault;
  }

  Result<int> reduce_case(const Model& model, const StartingCase& start, Search& search) {
    RunRecorder recorder(*run_.executor, start.session, run_.options.limits, folder_);
    const CaseSize before = size_of(start.a_case);
    ReduceTools tools{*search.oracle};
    tools.recorder = &recorder;
    tools.is_time_up = [this] { return run_.watch.seconds() >= arguments_.check.budget; };
    tools.on_better = [this](const Case& best, const CaseSize&, const std::string&) { return files_.put(best); };
    tools.progress = [&](const std::string& delta, const CaseSize& size, std::size_t checks) {
      run_.terminal.progress(static_cast<std::size_t>(size.nodes), static_cast<std::size_t>(before.nodes),
                             fmt::format("nodes left, {} checks, {}", checks, delta));
    };
    tools.confirmations = static_cast<std::size_t>(run_.options.confirmations) + 1;
    const auto reduced = reduce(start.a_case, all_deltas({}, arguments_.deltas), tools);
    run_.terminal.clear_progress();
    if (!reduced) return tl::unexpected(with_best_so_far(reduced.error()));
    if (reduced->end == Reduction::End::not_shown) {
      const std::string where = arguments_.command.empty()
                                    ? ""
                                    : "; each starts in a folder of its own, so paths in the command must be whole";
      return not_there(fmt::format("it showed in none of {} runs{}", reduced->asked, where), start);
    }
    if (auto ok = put_best(*reduced, start); !ok) return tl::unexpected(ok.error());
    const auto printed = run_.terminal.print(told(model, *reduced, search));
    if (!printed) return tl::unexpected(printed.error());
    return reduced->end == Reduction::End::interrupted ? exit_code::interrupted : exit_code::nothing_wrong;
  }

  [[nodiscard]] Error with_best_so_far(Error error) const {
    if (files_.bytes() > 0) error.message += "; the best so far is in " + printable(arguments_.out.string());
    return error;
  }

  /// With the reference's outputs; without where they cannot be had any more.
  Result<void> put_best(const Reduction& reduced, const StartingCase& start) {
    std::vector<Inputs> outputs;
    if (reduced.end != Reduction::End::interrupted) {
      auto ran = outputs_of(reduced.best, start.session, run_.options.limits, *run_.executor, folder_ / "outputs");
      if (ran) outputs = std::move(*ran);
    }
    return files_.put(reduced.best, outputs);
  }

  std::string told(const Model& model, const Reduction& reduced, const Search& search) const {
    const int width = run_.terminal.look().width;
    std::string text =
        hanging("",
                fmt::format("{}: nodes {} -> {}, {} -> {}", printable(arguments_.out.string()), reduced.before.nodes,
                            reduced.after.nodes, human_bytes(model.facts.bytes), human_bytes(files_.bytes())),
                width);
    const auto line = [&](const std::string& words) { text += hanging("  ", printable(words), width); };
    line("kept: " + search.signature);
    line(fmt::format("{} checks in {}{}", reduced.checks, human_seconds(run_.watch.seconds()), ending(reduced)));
    line(seen(reduced));
    line(what_is_beside());
    if (arguments_.check.verbose) text += deltas_text(reduced);
    return text;
  }

  [[nodiscard]] std::string what_is_beside() const {
    const bool has_own_name = files_.data_folder().filename() == test_data_of(arguments_.out).filename();
    const std::string where = (has_own_name ? files_.data_folder().filename().string() + "/" : "") + "test_data_set_0";
    if (files_.has_outputs()) return "its inputs and the reference's outputs are beside it, in " + where;
    return files_.has_data() ? "its inputs are beside it, in " + where + ", without outputs: the reference was not run"
                             : "its inputs are no plain tensors and are not kept";
  }

  static std::string ending(const Reduction& reduced) {
    if (reduced.end == Reduction::End::interrupted) return ", then it was stopped: this is the best so far";
    if (reduced.end == Reduction::End::time_up) return ", then the time of --budget was spent: this is the best so far";
    return "; no step makes it smaller";
  }

  static std::string seen(const Reduction& reduced) {
    std::string text = fmt::format("the fault showed in {} of {} fresh runs of it", reduced.shown, reduced.asked);
    if (reduced.flickers) text += "; it comes and goes, " + share_text(reduced.shown, reduced.asked);
    if (reduced.lost > 0) {
      text += fmt::format("; lost the fault {} time{}, and went back to where it showed last", reduced.lost,
                          reduced.lost == 1 ? "" : "s");
    }
    return text;
  }

  static std::string deltas_text(const Reduction& reduced) {
    std::string text;
    for (const DeltaFacts& delta : reduced.deltas) {
      text += fmt::format("  {:<16} {:>4} checks {:>4} steps {:>8}\n", delta.name, delta.checks, delta.accepted,
                          human_seconds(delta.seconds));
    }
    return text;
  }

  Run& run_;
  const ReduceArguments& arguments_;
  ReducedFiles files_;
  fs::path folder_;
};

Result<int> reduce_in(Run& run, const ReduceArguments& arguments) {
  auto files = ReducedFiles::at(arguments.out, arguments.check.models.front());
  if (!files) return tl::unexpected(files.error());
  return Work(run, arguments, std::move(*files)).reduce_model();
}

}  // namespace

int run_reduce(const ReduceArguments& arguments, Terminal& terminal) {
  const CheckArguments& check = arguments.check;
  prepare_process(check, terminal);
  const auto code = place_must_be_free(arguments.out, check)
                        .and_then([&] { return set_up(check, terminal); })
                        .and_then([&](Run&& run) { return reduce_in(run, arguments); });
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
