#include "cli/command_line.h"

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/check_flags.h"
#include "cli/compare_flags.h"
#include "cli/flags.h"
#include "cli/help_format.h"
#include "cli/known_flags.h"
#include "cli/localize_flags.h"
#include "cli/optimize_flags.h"
#include "cli/reduce_flags.h"
#include "cli/replay_flags.h"
#include "cli/twin_flags.h"
#include "cli/values.h"

namespace culprit {
namespace {

/// The parser, with the places that it writes into. One for each parse.
struct Parser {
  CLI::App app{"Finds the step that broke a neural network: which optimizer pass changed what a model computes.",
               "culprit"};
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

  Parser();
};

const std::vector<std::string> shells{"bash", "zsh", "fish"};

CLI::App& add_command(CLI::App& app, const char* name, const char* about, const std::string& example) {
  CLI::App* command = app.add_subcommand(name, about);
  command->group("Commands");
  command->set_help_flag("-h,--help", "This help");
  command->footer("Example:\n  " + example);
  return *command;
}

Parser::Parser() {
  app.formatter(std::make_shared<HelpFormat>());
  app.set_help_flag("-h,--help", "This help; `culprit COMMAND --help` tells of a command");
  app.add_flag("--version", version, "Versions of culprit and of every library in it");
  app.require_subcommand(0, 1);
  app.footer(
      "Exit codes: 0 nothing wrong, 1 faults found, 2 wrong usage, 3 cannot judge,\n"
      "4 internal error, 130 interrupted.\n\n"
      "Example:\n  culprit check model.onnx");

  add_check(add_command(app, "check", "Does optimizing break this model, and which pass does it?",
                        "culprit check model.onnx --samples 5"),
            check);
  add_localize(add_command(app, "localize", "Which passes of this recipe, or what in this variant, break the model?",
                           "culprit localize model.onnx --passes eliminate_identity,fuse_pad_into_pool\n"
                           "  culprit localize model.onnx --variant broken.onnx"),
               localize);
  add_optimize(add_command(app, "optimize", "Optimize this model by the passes that are verified not to break it",
                           "culprit optimize model.onnx -o optimized.onnx"),
               optimize);
  add_compare(add_command(app, "compare", "Do these two models mean the same, and where do they part first?",
                          "culprit compare model.onnx optimized.onnx"),
              compare);
  add_reduce(add_command(app, "reduce", "Make a model that shows a fault as small as it can be, and still show it",
                         "culprit reduce model.onnx --passes fuse_pad_into_pool -o reduced/model.onnx"),
             reduce);
  add_replay(add_command(app, "replay", "Run the faults that a check kept again: still there, or gone?",
                         "culprit replay run/repro/F1"),
             replay);
  add_known_command(add_command(app, "known", "Keep the list of known faults that check --known takes",
                                "culprit known add run/repro/F1 --note 'issue 12'"),
                    known);

  CLI::App& list = add_command(app, "passes", "List the optimizer's passes: kind, contract, whether in the bundle",
                               "culprit passes --format json");
  add_value(list, "--format", passes_format, "text|json", "What is printed: a table to read (default), or JSON");
  list.add_flag("--names", passes.names, "Names only, one a line");

  CLI::App& look =
      add_command(app, "doctor", "Look at what a check needs: found, missing, what to do", "culprit doctor");
  add_value(look, "--runtime", doctor.runtime, "PATH|VERSION",
            "ONNX Runtime library, or a version that scripts/setup brought");

  CLI::App& script = add_command(app, "completion", "Print a script that completes commands in a shell",
                                 "source <(culprit completion bash)");
  script.add_option("SHELL", shell, "bash, zsh or fish")->type_name(join(shells, "|"))->required();

  CLI::App& hidden = add_command(app, "twin", "Make a model of the same architecture that can be judged",
                                 "culprit twin light-resnet50-9.onnx -o twin.onnx");
  hidden.group("");  // of use to tests only
  add_twin(hidden, twin);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Those that --help lists.
std::vector<const CLI::App*> listed_commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

/// The command that was being parsed when something was wrong: the first word that is one.
const CLI::App& command_in(const Parser& parser, const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments)
    for (const CLI::App* command : commands_of(parser.app))
      if (command->get_name() == word) return *command;
  return parser.app;
}

std::string help_hint(const Parser& parser, const CLI::App& command) {
  const bool is_root = &command == &parser.app;
  return "`culprit " + (is_root ? "" : command.get_name() + " ") + "--help` tells what can be given";
}

tl::unexpected<Error> unknown_word(const Parser& parser, const CLI::App& command, const std::string& word) {
  std::vector<std::string> known = option_names(command);
  if (&command == &parser.app)
    for (const CLI::App* sub : listed_commands_of(parser.app)) known.push_back(sub->get_name());
  const std::string close = closest(word.substr(0, word.find('=')), known);
  const std::string what = word.starts_with("-")     ? "unknown option"
                           : &command == &parser.app ? "unknown command"
                                                     : "unexpected word";
  return fail(ErrorKind::usage,
              what + " '" + printable(word, 100) + "'" + (close.empty() ? "" : "; did you mean " + close + "?"),
              help_hint(parser, command));
}

tl::unexpected<Error> explain(const CLI::ParseError& error, const Parser& parser,
                              const std::vector<std::string>& arguments) {
  const CLI::App& command = command_in(parser, arguments);
  const std::vector<std::string> left_over = parser.app.remaining(/*recurse=*/true);
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (extras && !left_over.empty()) return unknown_word(parser, command, left_over.front());
  return fail(ErrorKind::usage, printable(error.what(), 300), help_hint(parser, command));
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

/// The command, which its report will quote.
template <class Arguments>
Result<Command> told_of(Result<Arguments> arguments, const std::vector<std::string>& whole) {
  if (!arguments) return tl::unexpected(arguments.error());
  check_of(*arguments).command = whole;
  return Command(std::move(*arguments));
}

Result<Command> command_of(const Parser& parser, const std::vector<std::string>& arguments) {
  if (parser.version) return ShowVersion{};
  const auto given = [&](const char* name) { return parser.app.got_subcommand(name); };
  const std::vector<std::string> whole = whole_command(arguments);
  if (given("check")) return told_of(resolve(parser.check), whole);
  if (given("localize")) return told_of(resolve_localize(parser.localize), whole);
  if (given("optimize")) return told_of(resolve(parser.optimize), whole);
  if (given("compare")) return told_of(resolve(parser.compare), whole);
  if (given("reduce")) return told_of(resolve(parser.reduce), whole);
  if (parser.app.got_subcommand("twin"))
    return resolve(parser.twin).map([](TwinArguments&& twin) { return Command(twin); });
  if (parser.app.got_subcommand("replay"))
    return resolve(parser.replay).map([](ReplayArguments&& replay) { return Command(replay); });
  if (parser.app.got_subcommand("known"))
    return resolve(parser.known).map([](KnownArguments&& known) { return Command(known); });
  if (parser.app.got_subcommand("passes")) {
    PassesArguments passes = parser.passes;
    if (parser.passes_format.empty()) return passes;
    const auto format = choice("--format", parser.passes_format, {"text", "json"});
    if (!format) return tl::unexpected(format.error());
    passes.json = *format == "json";
    if (passes.names && passes.json)
      return fail(ErrorKind::usage, "--names and --format json contradict each other", "give one of them");
    return passes;
  }
  if (parser.app.got_subcommand("doctor")) return parser.doctor;
  if (parser.app.got_subcommand("completion")) {
    const auto shell = choice("completion", parser.shell, shells);
    if (!shell) return tl::unexpected(shell.error());
    const auto place = std::find(shells.begin(), shells.end(), *shell) - shells.begin();
    return CompletionArguments{static_cast<Shell>(place)};
  }
  return fail(ErrorKind::usage, "no command was given", "try `culprit check model.onnx`, or `culprit --help`");
}

using Takes = OptionOutline::Takes;

Takes what_it_takes(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (option.get_expected_max() == 0) return Takes::nothing;
  if (type == type_passes) return Takes::passes;
  if (type == type_folder) return Takes::folder;
  if (type == type_file || type.find("PATH") != std::string::npos) return Takes::file;
  // Choices are written in lower case with bars between: "text|json".
  const bool words =
      type.find('|') != std::string::npos && type.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  return words ? Takes::words : Takes::anything;
}

OptionOutline outline_of(const CLI::Option& option) {
  OptionOutline outline;
  for (const std::string& name : option.get_snames()) outline.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) outline.names.push_back("--" + name);
  outline.help = option.get_description();
  outline.takes = what_it_takes(option);
  if (outline.takes == Takes::words) outline.words = split(option.get_type_name(), '|');
  outline.repeatable =
      option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll || option.get_expected_max() > 1;
  return outline;
}

CommandOutline outline_of(const CLI::App& app, const std::string& name) {
  CommandOutline outline{name, app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) outline.options.push_back(outline_of(*option));  // others are hidden
  }
  return outline;
}

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  Parser parser;
  // CLI11 takes the words from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    parser.app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return ShowHelp{parser.app.help()};
  } catch (const CLI::ParseError& error) {
    return explain(error, parser, arguments);
  }
  return command_of(parser, arguments);
}

std::vector<CommandOutline> outline_of_commands() {
  const Parser parser;
  std::vector<CommandOutline> commands{outline_of(parser.app, "")};
  for (const CLI::App* command : listed_commands_of(parser.app)) {
    commands.push_back(outline_of(*command, command->get_name()));
  }
  return commands;
}

}  // namespace culprit
