#include "cli/commands/optimize.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/check_paths.h"
#include "cli/chosen_optimizer.h"
#include "cli/exit_code.h"
#include "cli/optimized_file.h"
#include "cli/run.h"
#include "process/interrupt.h"
#include "report/console.h"
#include "report/json.h"
#include "report/layout.h"
#include "worker/pool.h"

namespace culprit {

void add_optimize(CommandParser& parser, OptimizeFlags& flags) {
  const Flags command =
      parser.add_command("optimize", "Optimize this model by the passes that are verified not to break it",
                         "culprit optimize model.onnx -o optimized.onnx");
  command.word("MODEL", flags.model, type_file, "ONNX file to optimize").required();
  command.value("-o,--output", flags.out, type_file, "Where the optimized model is written; not the model itself")
      .required();
  add_data_flags(command, flags.check);
  add_decision_flags(command, flags.check);
  const Flags group = command.group("Plan (without these: the optimizer's bundle, less what breaks the model)");
  add_optimizer_flag(group, flags.check);
  group.values("--passes", flags.check.passes, type_passes, "These passes, in this order");
  add_repeat_flag(group, flags.check);
  group.toggle("--require-all", flags.require_all, "Write nothing if a pass has to be left out (exit code 1)");
  group.values("--accept-weak", flags.accept_weak, "OUTPUT",
               "Write the model although this output is the same on all samples, so that nobody verified it; may be "
               "repeated");
  add_judge_flags(command, flags.check);
  add_running_flags(command, flags.check);
  add_output_flags(command, flags.check);
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
    const std::string& optimizer = flags.check.optimizer;
    const bool is_linked = optimizer.empty() || optimizer == onnx_optimizer_name;
    arguments.check.only_bundle = !is_linked && flags.check.passes.empty();
    return OptimizeArguments{std::move(arguments), flags.out, flags.require_all, flags.accept_weak};
  });
}

namespace {

/// What became of the file.
struct OptimizedModel {
  Delivery delivery;
  bool is_copy = false;  ///< the safe recipe changes nothing: the model as given
  std::uint64_t bytes = 0;
};

const VariantRecord* safe_variant(const ModelReport& report) {
  const auto& passes = report.safe_recipe->recipe.passes;
  const auto at = std::ranges::find_if(report.variants,
                                       [&](const VariantRecord& variant) { return variant.recipe.passes == passes; });
  return at == report.variants.end() ? nullptr : &*at;
}

/// "the bundle without fuse_pad_into_conv"
std::string recipe_text(const SafeRecipe& safe, const OptimizeArguments& arguments) {
  return kind_of(safe.recipe, arguments.check.check.recipe.empty()) +
         (safe.left_out.empty() ? "" : " without " + names_of(safe.left_out));
}

std::string left_out_text(const ModelReport& report, int width) {
  std::string text;
  if (!report.safe_recipe) return text;
  for (const LeftOut& one : report.safe_recipe->left_out) {
    text += hanging("  left out: ", printable(one.pass + ": " + one.reason), width);
  }
  return text;
}

std::string written_text(const Run& run, const OptimizeArguments& arguments, const OptimizedModel& made,
                         const fs::path& data) {
  const Delivery& delivery = made.delivery;
  const ModelReport& report = delivery.report;
  const VariantRecord* variant = safe_variant(report);
  const int width = run.terminal.look().width;
  const std::string recipe = recipe_text(*report.safe_recipe, arguments);
  const std::string what =
      made.is_copy ? "a copy of " + report.model.path + ": " + recipe + " leaves the model as it is" : recipe;
  std::string text = hanging("", printable(arguments.out.string()) + ": " + printable(what), width);
  text += left_out_text(report, width);
  const auto nodes = made.is_copy || variant == nullptr ? report.model.nodes : variant->nodes;
  text += hanging("  ",
                  fmt::format("nodes {} -> {}, {} -> {}", report.model.nodes, nodes, human_bytes(report.model.bytes),
                              human_bytes(made.bytes)),
                  width);
  if (!data.empty()) text += hanging("  ", "its weights are beside it, in " + printable(data.string()), width);
  if (!delivery.when_optimized_again.empty())
    text += hanging(
        "  ",
        printable("load it with the runtime's optimizations off, or with the same steps left out: at level " +
                  report.safe_recipe->recipe.level + " the runtime breaks it again: " + delivery.when_optimized_again),
        width);
  std::string verified = fmt::format("verified on {} sample{} at {}", delivery.samples,
                                     delivery.samples == 1 ? "" : "s", join(delivery.levels, " and "));
  if (!arguments.accept_weak.empty())
    verified += ", but for " + join(arguments.accept_weak, ", ") + ", which nobody verified (--accept-weak)";
  return text + hanging("  ", printable(verified), width);
}

/// Outputs that are the same on all samples, though other inputs could change them: right or wrong, nobody saw it.
std::string unverified_outputs(const ModelReport& report, const std::vector<std::string>& accepted) {
  std::vector<std::string> said, flags;
  for (const WeakOutput& weak : report.baseline.weak) {
    if (weak.is_constant || std::ranges::find(accepted, weak.output) != accepted.end()) continue;
    said.push_back("'" + weak.output + "' is " + weak.reason);
    flags.push_back("--accept-weak " + weak.output);
  }
  if (said.empty()) return "";
  return "nobody verified " + std::string(said.size() == 1 ? "an output" : "some outputs") + ": " + join(said, "; ") +
         ". Give samples on which it changes (--data, --input, --samples), or take it as it is: " + join(flags, " ");
}

/// Why there is no file; "" where there is one.
std::string why_not_written(const OptimizeArguments& arguments, const Delivery& delivery) {
  const ModelReport& report = delivery.report;
  if (!report.error.empty()) return report.error;
  if (report.baseline.status != BaselineStatus::ok)
    return report.model.path + " cannot be judged: " + report.baseline.message;
  const auto& safe = report.safe_recipe;
  if (!safe || !safe->verified) return "nothing safe was found" + (safe ? ": " + safe->message : "");
  if (std::string unseen = unverified_outputs(report, arguments.accept_weak); !unseen.empty()) return unseen;
  if (!delivery.is_delivered && arguments.require_all) {
    return "--require-all, but to be right " + recipe_text({}, arguments) + " must do without " +
           names_of(safe->left_out);
  }
  if (!delivery.verified) return "the file that was written did not pass when it was run again: " + delivery.message;
  return "";
}

int exit_code_without_file(const OptimizeArguments& arguments, const Delivery& delivery) {
  const bool is_unseen = !unverified_outputs(delivery.report, arguments.accept_weak).empty();
  if (is_unseen && delivery.is_delivered && delivery.verified) return exit_code::cannot_judge;
  if (delivery.is_delivered && delivery.report.error.empty()) return exit_code::internal;
  const int code = exit_code_of(delivery.report, arguments.check.check.strict);
  return code == exit_code::nothing_wrong ? exit_code::cannot_judge : code;
}

Result<void> are_outputs(const std::vector<std::string>& names, const Model& model) {
  for (const std::string& name : names) {
    const auto& outputs = model.interface.outputs;
    const auto has_part = [&](const ValueInfo& output) { return name.starts_with(output.name); };
    if (std::ranges::none_of(outputs, has_part))
      return fail(ErrorKind::usage, "--accept-weak " + printable(name, 100) + ": the model has no such output");
  }
  return {};
}

Result<OptimizedModel> make(Run& run, const OptimizeArguments& arguments, OptimizedFile& file) {
  OptimizedModel made;
  auto report = check_one(
      run, 0, nullptr,
      [&](const Model& model, const std::vector<Proposal>& proposals, const CheckTools& tools) -> Result<ModelReport> {
        if (auto ok = are_outputs(arguments.accept_weak, model); !ok) return tl::unexpected(ok.error());
        const Deliver deliver = [&](const ModelReport& checked, const fs::path& variant) -> Result<fs::path> {
          if (arguments.require_all && !checked.safe_recipe->left_out.empty()) return fs::path();
          made.is_copy = variant.empty();
          auto filled = file.fill(variant, model);
          std::error_code ignored;
          if (filled) made.bytes = fs::file_size(*filled, ignored);
          if (const auto data = filled ? file.filled_data() : fs::path(); !data.empty())
            made.bytes += fs::file_size(data, ignored);
          return filled;
        };
        return check_and_deliver(model, proposals, run.options, tools, deliver).map([&](Delivery&& delivery) {
          made.delivery = std::move(delivery);
          return made.delivery.report;
        });
      });
  if (!report) return tl::unexpected(report.error().kind == ErrorKind::interrupted ? nothing_kept() : report.error());
  made.delivery.report = std::move(*report);
  return made;
}

Result<int> optimize(Run& run, const OptimizeArguments& arguments) {
  auto file = OptimizedFile::beside(arguments.out, arguments.check.models.front());
  if (!file) return tl::unexpected(file.error());
  const auto made = make(run, arguments, *file);
  if (!made) return tl::unexpected(made.error());
  if (interrupt_requested()) return tl::unexpected(nothing_kept());
  const ModelReport& report = made->delivery.report;
  const std::string why_not = why_not_written(arguments, made->delivery);
  if (why_not.empty()) {
    if (const auto placed = file->put_in_place(); !placed) return tl::unexpected(placed.error());
  }
  const Report whole = report_of(run, {report});
  const std::string json = to_json(whole);
  if (const auto finished = finish(run, whole, json); !finished) return tl::unexpected(finished.error());
  std::string text = arguments.check.verbose ? to_console(report, style_of(run), run.folder.path()) + "\n" : "";
  text += why_not.empty() ? written_text(run, arguments, *made, file->data())
                          : left_out_text(report, run.terminal.look().width);
  text += "report: " + printable((run.folder.path() / "report.json").string()) + "\n";
  const auto printed = run.terminal.print(arguments.check.format == Format::json ? json : text);
  if (!printed) return tl::unexpected(printed.error());
  if (why_not.empty()) return exit_code::nothing_wrong;
  run.terminal.complain(printable(arguments.out.string()) + " was not written: " + printable(why_not));
  return exit_code_without_file(arguments, made->delivery);
}

}  // namespace

int run_optimize(const OptimizeArguments& arguments, Terminal& terminal) {
  const CheckArguments& check = arguments.check;
  prepare_process(check, terminal);
  const auto code = place_must_be_free(arguments.out, check)
                        .and_then([&] { return set_up(check, terminal); })
                        .and_then([&](Run&& run) { return optimize(run, arguments); });
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
