#include "cli/commands/optimize.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/machine_facts.h"
#include "app/optimize_model.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/present.h"
#include "record/level_words.h"
#include "report/console.h"
#include "report/json.h"
#include "report/layout.h"

namespace culprit {

void add_optimize(CommandParser& parser, OptimizeFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "optimize",
       .heading = heading_check,
       .about = "Optimize this model by the passes that are verified not to break it",
       .examples = {"culprit optimize model.onnx -o optimized.onnx",
                    "culprit optimize model.onnx -o optimized.onnx --optimizer onnxsim --data images"},
       .most_used = {"--output", "--optimizer", "--passes", "--data", "--input", "--require-all", "--accept-weak",
                     "--budget", "--format", "--verbose"},
       .exit_codes = "Exit codes: 0 the file is written and verified, 1 no safe file (or --require-all), 2 wrong "
                     "usage, 3 cannot judge, 4 internal error, 130 interrupted."});
  command.word("MODEL", flags.model, type_file, "ONNX file to optimize").required();
  command.value("-o,--output", flags.out, "FILE.onnx").required();
  add_data_flags(command, flags.check.samples);
  add_decision_flags(command, flags.check.samples);
  const Flags group = command.group("Plan (without these: the default passes, less those that break the model)");
  add_optimizer_flag(group, flags.check.plan);
  group.values("--passes", flags.check.plan.passes, type_passes);
  add_repeat_flag(group, flags.check.plan);
  group.toggle("--require-all", flags.require_all);
  group.values("--accept-weak", flags.accept_weak, "OUTPUT");
  add_judge_flags(command, flags.check.judge);
  add_running_flags(command, flags.check.run);
  add_output_flags(command, flags.check.output);
}

Result<OptimizeArguments> resolve(const OptimizeFlags& flags) {
  if (flags.out == "-") {
    return fail(ErrorKind::usage, "-o -: a model is verified as a file, and not printed", "name a file");
  }
  CheckFlags check = flags.check;
  check.models = {flags.model};
  check.no_localize = true;  // who wants a model that is right is not asking for what made it wrong
  return resolve(check).map([&](CheckArguments&& arguments) {
    // Of a runtime, what users run is enough: its steps alone would be sessions that nobody asked for.
    arguments.request.optimizer.only_bundle = names_another(flags.check.plan) && flags.check.plan.passes.empty();
    return OptimizeArguments{{std::move(arguments.request), flags.out, flags.require_all, flags.accept_weak},
                             arguments.printing};
  });
}

namespace {

const VariantRecord* safe_variant(const ModelReport& report) {
  const auto& passes = report.safe_recipe->recipe.passes;
  const auto at = std::ranges::find_if(report.variants,
                                       [&](const VariantRecord& variant) { return variant.recipe.passes == passes; });
  return at == report.variants.end() ? nullptr : &*at;
}

/// What the file still gives with the runtime's own optimizations.
std::string caution_line(const ModelReport& report, const ConsoleStyle& style, int width) {
  const auto caution = runtime_caution(report, style);
  if (!caution) return "";
  return hanging(
      "  warning: ",
      printable(caution->what + ", so with its default options this file gives other results than without; " +
                caution->which_step),
      width);
}

std::string left_out_text(const ModelReport& report, int width) {
  std::string text;
  if (!report.safe_recipe) return text;
  for (const LeftOut& one : report.safe_recipe->left_out) {
    text += hanging("  left out: ", printable(one.pass + ": " + one.reason), width);
  }
  return text;
}

std::string written_text(const OptimizeRequest& request, const OptimizeAnswer& answer, const ConsoleStyle& style,
                         int width) {
  const Delivery& delivery = answer.delivery;
  const ModelReport& report = delivery.report;
  const VariantRecord* variant = safe_variant(report);
  const std::string recipe = recipe_text(*report.safe_recipe, request);
  const std::string what =
      answer.is_copy ? "a copy of " + report.model.path + ": " + recipe + " leaves the model as it is" : recipe;
  std::string text = hanging("", printable(request.out.string()) + ": " + printable(what), width);
  text += left_out_text(report, width);
  const auto nodes = answer.is_copy || variant == nullptr ? report.model.nodes : variant->nodes;
  text += hanging(
      "  ",
      fmt::format("nodes {} -> {}, {} -> {}{}", report.model.nodes, nodes, human_bytes(report.model.bytes),
                  human_bytes(answer.bytes),
                  answer.bytes > report.model.bytes ? " (larger: `culprit profile` says whether it is faster)" : ""),
      width);
  if (!answer.data.empty())
    text += hanging("  ", "its weights are beside it, in " + printable(answer.data.string()), width);
  if (!delivery.when_optimized_again.empty())
    text += hanging(
        "  ",
        printable("load it with the runtime's optimizations off, or with the same steps left out: at level " +
                  report.safe_recipe->recipe.level + " the runtime breaks it again: " + delivery.when_optimized_again),
        width);
  std::string verified =
      fmt::format("verified on {} {}", counted(delivery.samples, "sample"), words_of_level(delivery.levels));
  if (!request.accept_weak.empty())
    verified += ", but for " + join(request.accept_weak, ", ") + ", which nobody verified (--accept-weak)";
  return text + hanging("  ", printable(verified), width) + caution_line(report, style, width);
}

int exit_code_without_file(const OptimizeAnswer& answer, bool strict) {
  const Delivery& delivery = answer.delivery;
  if (answer.is_unseen) return exit_code::cannot_judge;
  if (delivery.is_delivered && delivery.report.error.empty()) return exit_code::internal;
  const int code = exit_code_of(delivery.report, strict);
  return code == exit_code::nothing_wrong ? exit_code::cannot_judge : code;
}

Result<int> optimize(const OptimizeArguments& arguments, const Caller& caller, Terminal& terminal) {
  const OptimizeRequest& request = arguments.request;
  auto answer = optimize_model(request, caller);
  if (!answer) return tl::unexpected(answer.error());
  const std::string json = to_json(answer->report);
  if (const auto ok = finish_unless_kept(answer->folder, answer->keeps_earlier, json, terminal); !ok)
    return tl::unexpected(ok.error());
  const ModelReport& report = answer->delivery.report;
  const fs::path& folder = answer->folder.path();
  const int width = terminal.look().width;
  const ConsoleStyle style =
      with_products(style_of(arguments.printing, terminal.look(), request.check.quoted), answer->report.environment);
  std::string text = arguments.printing.verbose ? to_console(report, style, folder) + "\n" : "";
  text += answer->why_not.empty() ? written_text(request, *answer, style, width) : left_out_text(report, width);
  text += "report: " + printable((folder / "report.json").string()) + "\n";
  const auto printed = terminal.print(arguments.printing.format == Format::json ? json : text);
  if (!printed) return tl::unexpected(printed.error());
  if (answer->why_not.empty()) return exit_code::nothing_wrong;
  terminal.complain(printable(request.out.string()) + " was not written: " + printable(answer->why_not));
  return exit_code_without_file(*answer, request.check.judging.strict);
}

}  // namespace

int run_optimize(const OptimizeArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = optimize(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
