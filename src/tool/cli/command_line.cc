#include "cli/command_line.h"

#include "cli/parser.h"

namespace culprit {
namespace {

/// All that can be given, with the places that the parser writes into. One for each parse.
struct Commands {
  CommandParser parser;
  CheckFlags check, localize;
  OptimizeFlags optimize;
  OrdersFlags orders;
  CompareFlags compare;
  DiagnoseFlags diagnose;
  RepairFlags repair;
  EvalFlags eval;
  ProfileFlags profile;
  DataFlags data;
  ReduceFlags reduce;
  TwinFlags twin;
  ReplayFlags replay;
  KnownFlags known;
  RunCampaignFlags run;
  ShowFlags show;
  MergeFlags merge;
  HubFlags hub;
  PassesFlags passes;
  OptimizersFlags optimizers;
  DoctorArguments doctor;
  CompletionFlags completion;
  bool version = false;

  explicit Commands(int width);
};

/// In the order of --help.
Commands::Commands(int width)
    : parser("Finds the step that broke a neural network: which optimizer pass changed what a model computes.",
             {"culprit check model.onnx", "culprit compare model.onnx optimized.onnx"}, width) {
  parser.flags().toggle("-v,--version", version);
  add_check(parser, check);
  add_localize(parser, localize);
  add_optimize(parser, optimize);
  add_orders(parser, orders);
  add_run(parser, run);
  add_compare(parser, compare);
  add_diagnose(parser, diagnose);
  add_repair(parser, repair);
  add_eval(parser, eval);
  add_profile(parser, profile);
  add_data(parser, data);
  add_reduce(parser, reduce);
  add_replay(parser, replay);
  add_known_command(parser, known);
  add_show(parser, show);
  add_merge(parser, merge);
  add_hub(parser, hub);
  add_passes(parser, passes);
  add_optimizers(parser, optimizers);
  add_doctor(parser, doctor);
  add_completion(parser, completion);
  add_twin(parser, twin);  // hidden: of use to tests only
}

std::vector<std::string> whole_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"culprit"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

QuotedWords& quoted_of(OptimizeRequest& request) { return request.check.quoted; }
QuotedWords& quoted_of(OrdersRequest& request) { return request.check.quoted; }
template <class Request>
QuotedWords& quoted_of(Request& request) {
  return request.quoted;
}

template <class Arguments>
Result<Command> plain(Result<Arguments> arguments) {
  if (!arguments) return tl::unexpected(arguments.error());
  return Command(std::move(*arguments));
}

/// The command, which its report will quote.
template <class Arguments>
Result<Command> told_of(Result<Arguments> arguments, const std::vector<std::string>& whole) {
  if (arguments) quoted_of(arguments->request).command = whole;
  return plain(std::move(arguments));
}

/// What `given`, the name of a command, and its flags mean.
Result<Command> command_of(const Commands& commands, const std::string& given, const std::vector<std::string>& whole) {
  if (commands.version) return ShowVersion{};
  if (given == "check") return told_of(resolve(commands.check), whole);
  if (given == "localize") return told_of(resolve_localize(commands.localize), whole);
  if (given == "optimize") return told_of(resolve(commands.optimize), whole);
  if (given == "orders") return told_of(resolve(commands.orders), whole);
  if (given == "compare") return told_of(resolve(commands.compare), whole);
  if (given == "diagnose") return told_of(resolve(commands.diagnose), whole);
  if (given == "repair") return told_of(resolve(commands.repair), whole);
  if (given == "data") return plain(resolve(commands.data));
  if (given == "eval") return told_of(resolve(commands.eval), whole);
  if (given == "profile") return told_of(resolve(commands.profile), whole);
  if (given == "reduce") return plain(resolve(commands.reduce));
  if (given == "twin") return plain(resolve(commands.twin));
  if (given == "replay") return plain(resolve(commands.replay));
  if (given == "known") return plain(resolve(commands.known));
  if (given == "run") return plain(resolve(commands.run));
  if (given == "show") return plain(resolve(commands.show));
  if (given == "merge") return plain(resolve(commands.merge));
  if (given == "hub") return plain(resolve(commands.hub));
  if (given == "passes") return plain(resolve(commands.passes));
  if (given == "optimizers") return plain(resolve(commands.optimizers));
  if (given == "doctor") return commands.doctor;
  if (given == "completion") return plain(resolve(commands.completion));
  return fail(ErrorKind::usage, "no command was given", "try `culprit check model.onnx`, or `culprit --help`");
}

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments, int width) {
  Commands commands(width);
  const auto typed = commands.parser.parse(arguments);
  if (!typed) return tl::unexpected(typed.error());
  if (!typed->help.empty()) return ShowHelp{typed->help};
  return command_of(commands, typed->command, whole_command(arguments));
}

std::vector<CommandOutline> outline_of_commands() { return Commands(80).parser.outline(); }

}  // namespace culprit
