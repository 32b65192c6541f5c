#include "cli/commands/reduce.h"

#include <fmt/format.h>

#include "app/machine_facts.h"
#include "app/name_lists.h"
#include "app/reduce_fault.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "cli/present.h"
#include "data/sample_folders.h"
#include "reduce/all_deltas.h"
#include "report/layout.h"
#include "search/flaky.h"

namespace culprit {
namespace {

constexpr double usual_budget = 120;  // seconds

void add_fault_flags(const Flags& command, ReduceFlags& flags) {
  const Flags group = command.group("The fault (one of --passes and --check)");
  add_optimizer_flag(group, flags.plan);
  group.values("--passes", flags.plan.passes, type_passes);
  add_repeat_flag(group, flags.plan);
  group.value("--check", flags.command, "CMD");
}

constexpr const char* exit_codes =
    "Exit codes: 0 the reduced model is there (also if the time was spent), 1 the fault does not show on the model as "
    "it "
    "is, 2 wrong usage, 3 the model cannot be read or does not run, 4 internal error, 130 interrupted (the best so far "
    "is "
    "there).";

/// The deltas that the command can run: it knows no values that the fault is near.
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
  const Flags command = parser.add_command(
      {.name = "reduce",
       .heading = heading_report,
       .about = "Make a model that shows a fault as small as it can be, and still show it",
       .examples = {"culprit reduce model.onnx --passes fuse_pad_into_pool -o reduced/model.onnx",
                    "culprit reduce model.onnx --check 'python3 fails.py {model} {data}' -o reduced/model.onnx"},
       .most_used = {"--output", "--passes", "--check", "--optimizer", "--data", "--input", "--deltas", "--budget",
                     "--verbose"},
       .paragraphs = {delta_list()},
       .exit_codes = exit_codes});
  command.word("MODEL", flags.model, type_file, "ONNX file that shows the fault").required();
  command.value("-o,--output", flags.out, "FILE.onnx").required();
  add_fault_flags(command, flags);
  command.group("Steps").value("--deltas", flags.deltas, "NAME,...");
  add_data_flags(command, flags.samples);
  add_judge_flags(command, flags.judge);
  add_running_flags(command, flags.run);
  command.declared("--budget").with_default("2m");
  const Flags group = command.group("Output");
  group.value("--run-dir", flags.output.run_dir, type_folder);
  group.toggle("--quiet", flags.output.quiet);
  group.toggle("--verbose", flags.output.verbose);
}

Result<ReduceArguments> resolve(const ReduceFlags& flags) {
  if (flags.out == "-") return fail(ErrorKind::usage, "-o -: a model is not printed", "name a file");
  const bool has_passes = !flags.plan.passes.empty();
  if (has_passes == !flags.command.empty()) {
    return fail(ErrorKind::usage,
                has_passes ? "--passes and --check contradict each other" : "neither --passes nor --check was given",
                "give the passes that `culprit check` blames, or a command that says whether the fault is there");
  }
  if (!flags.command.empty() && flags.command.find("{model}") == std::string::npos) {
    return fail(ErrorKind::usage, "--check names no {model}, so it would say the same of every model",
                "such as --check 'python3 /path/to/is_wrong.py {model}'");
  }
  ReduceArguments arguments;
  ReduceRequest& request = arguments.request;
  std::vector<std::filesystem::path> models;
  FlagReader reader;
  reader.set(request.deltas, chosen_deltas(flags.deltas));
  reader.set(request.optimizer, read_plan(flags.plan, flags.samples.data, flags.run.deploy_level));
  reader.set(arguments.printing, read_printing(flags.output));
  reader.set(request.witnesses, read_witnesses(flags.run));
  reader.set(models, read_models({flags.model}));
  reader.set(request.data, read_samples(flags.samples));
  reader.set(request.judging, read_judging(flags.judge));
  reader.set(request.running, read_running(flags.run));
  if (!models.empty()) request.model = models.front();
  request.out = flags.out;
  request.command = flags.command;
  request.folder = read_folder(flags.output);
  request.directed = !flags.samples.undirected;
  if (request.running.budget == 0) request.running.budget = usual_budget;
  return reader.result(std::move(arguments));
}

namespace {

int not_there(const ReduceRequest& request, const ReduceAnswer& answer, Terminal& terminal) {
  const std::string where = fmt::format("{} on {} ({})", request.model.string(),
                                        counted(static_cast<std::int64_t>(answer.samples), "sample"), answer.data);
  terminal.complain("the fault does not show on " + where + ", so there is nothing to reduce: " + answer.why_not +
                    ". Give the data on which it shows (--data, --input, --seed), or another command or pass list; "
                    "`culprit check` finds failing passes");
  for (const std::string& warning : answer.warnings) terminal.complain(warning);
  return answer.is_weak ? exit_code::cannot_judge : exit_code::fault;
}

std::string what_is_beside(const ReduceRequest& request, const ReduceAnswer& answer) {
  const std::string folder = answer.data_folder.filename().string();
  const bool has_own_name = folder == test_data_of(request.out).filename();
  const std::string where = (has_own_name ? folder + "/" : "") + "test_data_set_0";
  if (answer.has_outputs) return "its inputs and the reference's outputs are beside it, in " + where;
  return answer.has_data ? "its inputs are beside it, in " + where + ", without outputs: the reference was not run"
                         : "its inputs are no plain tensors and are not kept";
}

std::string ending(const Reduction& reduced) {
  if (reduced.end == Reduction::End::interrupted) return ", then it was stopped: this is the best so far";
  if (reduced.end == Reduction::End::time_up) return ", then the time of --budget was spent: this is the best so far";
  return "; no step makes it smaller";
}

std::string seen(const Reduction& reduced) {
  std::string text = fmt::format("the fault showed in {} of {} fresh runs of it", reduced.shown, reduced.asked);
  if (reduced.flickers) text += "; it comes and goes, " + share_text(reduced.shown, reduced.asked);
  if (reduced.lost > 0) {
    text += fmt::format("; lost the fault {}, and went back to where it showed last",
                        counted(static_cast<std::int64_t>(reduced.lost), "time"));
  }
  return text;
}

std::string deltas_text(const Reduction& reduced) {
  std::string text;
  for (const DeltaFacts& delta : reduced.deltas) {
    text += fmt::format("  {:<16} {:>4} checks {:>4} steps {:>8}\n", delta.name, delta.checks, delta.accepted,
                        human_seconds(delta.seconds));
  }
  return text;
}

std::string told(const ReduceArguments& arguments, const ReduceAnswer& answer, double seconds, int width) {
  const Reduction& reduced = answer.reduction;
  std::string text = hanging(
      "",
      fmt::format("{}: nodes {} -> {}, {} -> {}", printable(arguments.request.out.string()), reduced.before.nodes,
                  reduced.after.nodes, human_bytes(answer.bytes_before), human_bytes(answer.bytes)),
      width);
  const auto line = [&](const std::string& words) { text += hanging("  ", printable(words), width); };
  line("kept: " + answer.sought);
  line(fmt::format("{} checks in {}{}", reduced.checks, human_seconds(seconds), ending(reduced)));
  line(seen(reduced));
  line(what_is_beside(arguments.request, answer));
  if (arguments.printing.verbose) text += deltas_text(reduced);
  return text;
}

Result<int> reduce_in(const ReduceArguments& arguments, const Caller& caller, Terminal& terminal) {
  const auto answer = reduce_fault(arguments.request, caller);
  if (!answer) return tl::unexpected(answer.error());
  if (!answer->why_not.empty()) return not_there(arguments.request, *answer, terminal);
  const auto printed = terminal.print(told(arguments, *answer, caller.watch.seconds(), terminal.look().width));
  if (!printed) return tl::unexpected(printed.error());
  const bool was_interrupted = answer->reduction.end == Reduction::End::interrupted;
  return was_interrupted ? exit_code::interrupted : exit_code::nothing_wrong;
}

}  // namespace

int run_reduce(const ReduceArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = reduce_in(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
