#include "cli/command_line.h"

#include <algorithm>

#include "base/text.h"
#include "cli/check_flags.h"
#include "cli/compare_flags.h"
#include "cli/flag_values.h"
#include "cli/known_flags.h"
#include "cli/localize_flags.h"
#include "cli/optimize_flags.h"
#include "cli/parser.h"
#include "cli/reduce_flags.h"
#include "cli/replay_flags.h"
#include "cli/twin_flags.h"

namespace culprit {
namespace {

const std::vector<std::string> shells{"bash", "zsh", "fish"};

/// All that can be given, with the places that the parser writes into. One for each parse.
struct Commands {
  CommandParser parser{
      "Finds the step that broke a neural network: which optimizer pass changed what a model computes.",
      "Exit codes: 0 nothing wrong, 1 faults found, 2 wrong usage, 3 cannot judge,\n"
      "4 internal error, 130 interrupted.\n\n"
      "Example:\n  culprit check model.onnx"};
  CheckFlags check, localize;
  OptimizeFlags optimize;
  CompareFlags compare;
  ReduceFlags reduce;
  TwinFlags twin;
  ReplayFlags replay;
  KnownFlags known;
  PassesArguments passes;
  DoctorArguments doctor;
  std::string passes_format, shell;
  bool version = false;

  Commands();

 private:
  void add_those_of_models();
  void add_those_of_repros();
  void add_small_ones();
};

Commands::Commands() {
  parser.flags().toggle("--version", version, "Versions of culprit and of every library in it");
  add_those_of_models();
  add_those_of_repros();
  add_small_ones();
  const Flags hidden =  // of use to tests only
      parser.add_hidden_command("twin", "Make a model of the same architecture that can be judged",
                                "culprit twin light-resnet50-9.onnx -o twin.onnx");
  add_twin(hidden, twin);
}

void Commands::add_those_of_models() {
  add_check(parser.add_command("check", "Does optimizing break this model, and which pass does it?",
                               "culprit check model.onnx --samples 5"),
            check);
  add_localize(parser.add_command("localize", "Which passes of this recipe, or what in this variant, break the model?",
                                  "culprit localize model.onnx --passes eliminate_identity,fuse_pad_into_pool\n"
                                  "  culprit localize model.onnx --variant broken.onnx"),
               localize);
  add_optimize(parser.add_command("optimize", "Optimize this model by the passes that are verified not to break it",
                                  "culprit optimize model.onnx -o optimized.onnx"),
               optimize);
  add_compare(parser.add_command("compare", "Do these two models mean the same, and where do they part first?",
                                 "culprit compare model.onnx optimized.onnx"),
              compare);
  add_reduce(parser.add_command("reduce", "Make a model that shows a fault as small as it can be, and still show it",
                                "culprit reduce model.onnx --passes fuse_pad_into_pool -o reduced/model.onnx"),
             reduce);
}

void Commands::add_those_of_repros() {
  add_replay(parser.add_command("replay", "Run the faults that a check kept again: still there, or gone?",
                                "culprit replay run/repro/F1"),
             replay);
  add_known_command(parser.add_command("known", "Keep the list of known faults that check --known takes",
                                       "culprit known add run/repro/F1 --note 'issue 12'"),
                    known);
}

void Commands::add_small_ones() {
  const Flags list = parser.add_command("passes", "List the optimizer's passes: kind, contract, whether in the bundle",
                                        "culprit passes --format json");
  list.value("--format", passes_format, "text|json", "What is printed: a table to read (default), or JSON");
  list.toggle("--names", passes.names, "Names only, one a line");

  const Flags look =
      parser.add_command("doctor", "Look at what a check needs: found, missing, what to do", "culprit doctor");
  look.value("--runtime", doctor.runtime, "PATH|VERSION",
             "ONNX Runtime library, or a version that scripts/setup brought");

  const Flags script = parser.add_command("completion", "Print a script that completes commands in a shell",
                                          "source <(culprit completion bash)");
  script.word("SHELL", shell, join(shells, "|"), "bash, zsh or fish").required();
}

std::vector<std::string> whole_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"culprit"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

CheckArguments& check_of(CheckArguments& arguments) { return arguments; }
template <class Arguments>
CheckArguments& check_of(Arguments& arguments) {
  return arguments.check;
}

template <class Arguments>
Result<Command> plain(Result<Arguments> arguments) {
  if (!arguments) return tl::unexpected(arguments.error());
  return Command(std::move(*arguments));
}

/// The command, which its report will quote.
template <class Arguments>
Result<Command> told_of(Result<Arguments> arguments, const std::vector<std::string>& whole) {
  if (arguments) check_of(*arguments).command = whole;
  return plain(std::move(arguments));
}

Result<Command> passes_of(const Commands& commands) {
  PassesArguments passes = commands.passes;
  if (commands.passes_format.empty()) return passes;
  const auto format = choice("--format", commands.passes_format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  passes.json = *format == "json";
  if (passes.names && passes.json)
    return fail(ErrorKind::usage, "--names and --format json contradict each other", "give one of them");
  return passes;
}

Result<Command> completion_of(const Commands& commands) {
  const auto shell = choice("completion", commands.shell, shells);
  if (!shell) return tl::unexpected(shell.error());
  const auto place = std::find(shells.begin(), shells.end(), *shell) - shells.begin();
  return CompletionArguments{static_cast<Shell>(place)};
}

/// What `given`, the name of a command, and its flags mean.
Result<Command> command_of(const Commands& commands, const std::string& given, const std::vector<std::string>& whole) {
  if (commands.version) return ShowVersion{};
  if (given == "check") return told_of(resolve(commands.check), whole);
  if (given == "localize") return told_of(resolve_localize(commands.localize), whole);
  if (given == "optimize") return told_of(resolve(commands.optimize), whole);
  if (given == "compare") return told_of(resolve(commands.compare), whole);
  if (given == "reduce") return told_of(resolve(commands.reduce), whole);
  if (given == "twin") return plain(resolve(commands.twin));
  if (given == "replay") return plain(resolve(commands.replay));
  if (given == "known") return plain(resolve(commands.known));
  if (given == "passes") return passes_of(commands);
  if (given == "doctor") return commands.doctor;
  if (given == "completion") return completion_of(commands);
  return fail(ErrorKind::usage, "no command was given", "try `culprit check model.onnx`, or `culprit --help`");
}

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  Commands commands;
  const auto typed = commands.parser.parse(arguments);
  if (!typed) return tl::unexpected(typed.error());
  if (!typed->help.empty()) return ShowHelp{typed->help};
  return command_of(commands, typed->command, whole_command(arguments));
}

std::vector<CommandOutline> outline_of_commands() { return Commands().parser.outline(); }

}  // namespace culprit
