#include "cli/commands/optimizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/ask_for_steps.h"
#include "app/chosen_optimizer.h"
#include "app/machine_facts.h"
#include "base/text.h"
#include "cli/commands/list_programs.h"
#include "cli/commands/passes.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "optimizer/command/find_command.h"
#include "optimizer/optimizer.h"
#include "report/layout.h"
#include "runtime/find_library.h"

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* onnx_optimizer = onnx_optimizer_name;
constexpr const char* onnxruntime = onnxruntime_name;

/// ONNX Runtime's library and what it has; the error where there is none, or it cannot be asked.
struct RuntimeSteps {
  std::filesystem::path library;
  Result<Harvest> harvest;
};

RuntimeSteps ask_runtime(const std::string& wanted) {
  const auto library = find_onnxruntime(wanted);
  if (!library) return {{}, tl::unexpected(library.error())};
  return {*library, ask_for_steps(own_program(), *library)};
}

std::size_t count_of(const Harvest& harvest, StepProof proof) {
  return static_cast<std::size_t>(std::ranges::count(harvest.steps, proof, &HarvestedStep::proof));
}

std::string passes_text(const Optimizer& optimizer) {
  return counts_of_passes(optimizer.passes()) + "; `culprit passes` lists them";
}

std::string as_text(const RuntimeSteps& runtime, int width) {
  const auto linked = make_onnx_optimizer();
  const auto line = [&](const char* name, const std::string& version, const std::string& what) {
    return hanging(fmt::format("{:<22}  {:<7}  ", name, version), what, width);
  };
  std::string text = "optimizer               version  what it has\n";
  text += line(onnx_optimizer, linked->version(), passes_text(*linked) + "; linked");
  if (!runtime.harvest) {
    text += line(onnxruntime, "-", "not found: " + runtime.harvest.error().text());
  } else {
    text += line(onnxruntime, runtime.harvest->version,
                 fmt::format("{}; `culprit optimizers onnxruntime` lists them; {}", counts_of_steps(*runtime.harvest),
                             printable(runtime.library.string())));
  }
  return text + programs_as_text(width);
}

Json json_of(const Optimizer& optimizer) {
  Json steps = Json::array();
  for (const PassInfo& pass : optimizer.passes()) steps.push_back({{"name", pass.name}, {"kind", pass.kind}});
  return {{"name", optimizer.name()}, {"found", true}, {"version", optimizer.version()}, {"steps", std::move(steps)}};
}

Json json_of(const RuntimeSteps& runtime) {
  if (!runtime.harvest) return {{"name", onnxruntime}, {"found", false}, {"message", runtime.harvest.error().text()}};
  const Json harvest = Json::parse(to_json(*runtime.harvest));
  return {{"name", onnxruntime},
          {"found", true},
          {"version", harvest.at("version")},
          {"library", runtime.library.string()},
          {"steps", harvest.at("steps")}};
}

bool is_program(const std::string& name) { return !name.empty() && name != onnx_optimizer && name != onnxruntime; }

std::string as_json(const OptimizersArguments& arguments) {
  Json array = Json::array();
  const auto is_wanted = [&](const std::string& name) { return arguments.name.empty() || arguments.name == name; };
  if (is_wanted(onnx_optimizer)) array.push_back(json_of(*make_onnx_optimizer()));
  if (is_wanted(onnxruntime)) array.push_back(json_of(ask_runtime(arguments.runtime)));
  if (is_program(arguments.name)) array.push_back(program_as_json(arguments.name));
  if (arguments.name.empty())
    for (const std::string& name : preset_names()) array.push_back(program_as_json(name));
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const char* words_of(StepProof proof) {
  switch (proof) {
    case StepProof::by_log:
      return "yes, as the log shows";
    case StepProof::by_model:
      return "yes, as a model shows";
    case StepProof::always_runs:
      return "no, it always runs";
    case StepProof::none:
      break;
  }
  return "not known";
}

Result<std::string> text_for(const OptimizersArguments& arguments, int width) {
  if (arguments.json) return as_json(arguments);
  if (arguments.name == onnx_optimizer) {
    const auto linked = make_onnx_optimizer();
    return hanging("", fmt::format("{} {}: {}", onnx_optimizer, linked->version(), passes_text(*linked)), width);
  }
  if (is_program(arguments.name)) return program_as_text(arguments.name, width);
  const RuntimeSteps runtime = ask_runtime(arguments.runtime);
  if (!runtime.harvest && !arguments.runtime.empty()) return tl::unexpected(runtime.harvest.error());
  if (arguments.name.empty()) return as_text(runtime, width);
  if (!runtime.harvest) return tl::unexpected(runtime.harvest.error());
  return steps_as_text(*runtime.harvest, runtime.library, width);
}

}  // namespace

void add_optimizers(CommandParser& parser, OptimizersFlags& flags) {
  const Flags command =
      parser.add_command({.name = "optimizers",
                          .heading = heading_facts,
                          .about = "List the optimizers, and the steps of one that can be switched off one by one",
                          .examples = {"culprit optimizers", "culprit optimizers onnxruntime"},
                          .exit_codes = exit_codes_of_facts});
  command.word(
      "NAME", flags.name, "NAME",
      "onnx_optimizer, onnxruntime, a program or FILE.yaml, which is run: the steps of this one (default: all, a "
      "line each)");
  command.value("--runtime", flags.runtime, "PATH|VERSION");
  command.value("--format", flags.format, "text|json");
}

Result<OptimizersArguments> resolve(const OptimizersFlags& flags) {
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  const auto name = flags.name.empty() ? Result<std::string>("") : optimizer_named("NAME", flags.name);
  if (!name) return tl::unexpected(name.error());
  return OptimizersArguments{flags.name, flags.runtime, *format == "json"};
}

std::string counts_of_steps(const Harvest& harvest) {
  const auto rules = static_cast<std::size_t>(std::ranges::count(harvest.steps, StepKind::rule, &HarvestedStep::kind));
  const std::size_t proven = count_of(harvest, StepProof::by_log) + count_of(harvest, StepProof::by_model);
  std::string text =
      fmt::format("{} transformers and {} rules; {} can be switched off", harvest.steps.size() - rules, rules, proven);
  if (const auto always = count_of(harvest, StepProof::always_runs); always > 0)
    text += fmt::format(", {} always run", always);
  if (const auto open = count_of(harvest, StepProof::none); open > 0)
    text += fmt::format(", of {} it is not known", open);
  return text;
}

std::string steps_as_text(const Harvest& harvest, const std::filesystem::path& library, int width) {
  int name_width = 4;
  for (const HarvestedStep& step : harvest.steps) name_width = std::max(name_width, display_width(step.name));
  std::string text =
      hanging("", fmt::format("ONNX Runtime {}, {}", harvest.version, printable(library.string())), width);
  text += fmt::format("\n{}  kind         level     can be switched off\n", pad_right("step", name_width));
  for (const HarvestedStep& step : harvest.steps) {
    text += fmt::format("{}  {:<11}  {:<8}  {}\n", pad_right(step.name, name_width), name_of(step.kind),
                        name_of(step.level), words_of(step.proof));
  }
  text += "\n" + hanging("", counts_of_steps(harvest) + ".", width);
  return text +
         hanging("",
                 "A rule runs inside of a container, and is off where that is. To switch steps off in Python: "
                 "options.add_session_config_entry(\"optimization.disable_specified_optimizers\", "
                 "\"ConstantFolding;Pad_Fusion\"), names with ';' between and no spaces; a name that the library does "
                 "not know is ignored without a word.",
                 width);
}

int run_optimizers(const OptimizersArguments& arguments, Terminal& terminal) {
  const auto printed = text_for(arguments, terminal.look().width).and_then([&](const std::string& text) {
    return terminal.print(text);
  });
  if (printed) return exit_code::nothing_wrong;
  terminal.complain(printed.error().text());
  return printed.error().kind == ErrorKind::bad_input ? exit_code::cannot_judge : exit_code_of(printed.error().kind);
}

}  // namespace culprit
