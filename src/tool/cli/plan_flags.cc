#include "cli/plan_flags.h"

#include <fmt/format.h>

#include "app/chosen_optimizer.h"
#include "app/name_lists.h"
#include "base/text.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"

namespace culprit {

void add_optimizer_flag(const Flags& command, PlanFlags& flags) {
  command.value("--optimizer", flags.optimizer, "NAME|FILE.yaml");
  command.values("--option", flags.options, "NAME=VALUE");
}

void add_repeat_flag(const Flags& command, PlanFlags& flags) {
  command.value("--repeat", flags.repeat, "once|library|stable");
}

bool names_another(const PlanFlags& flags) {
  return !flags.optimizer.empty() && flags.optimizer != onnx_optimizer_name;
}

namespace {

Result<GivenOptions> program_options(const PlanFlags& flags, const std::filesystem::path& data) {
  GivenOptions given;
  if (!data.empty()) given.data = std::filesystem::absolute(data);
  for (const std::string& option : flags.options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorKind::usage, fmt::format("--option {}: not NAME=VALUE", printable(option, 100)),
                  "such as --option weight_type=QUInt8");
    given.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return given;
}

Result<void> refuse_contradictions(const PlanFlags& flags) {
  const std::string plan_hint = "--passes is one list of passes in order, --each runs passes alone: give one of them";
  if (!flags.passes.empty() && !flags.each.empty()) return contradiction("--passes", "--each", plan_hint);
  if (!flags.passes.empty() && flags.all_passes) return contradiction("--passes", "--all-passes", "give one of them");
  if (!flags.each.empty() && flags.all_passes) return contradiction("--each", "--all-passes", "give one of them");
  return {};
}

/// Only the linked one is told how often it runs; a runtime's steps run at a level.
Result<void> refuse_for_others(const PlanFlags& flags, const std::string& deploy_level) {
  const bool is_program = names_another(flags) && flags.optimizer != onnxruntime_name;
  if (!flags.options.empty() && !is_program)
    return fail(ErrorKind::usage, "--option is for an --optimizer that is a program", "such as quantize_static");
  if (!names_another(flags)) return {};
  if (!flags.repeat.empty())
    return contradiction("--optimizer " + flags.optimizer, "--repeat", "it says itself how often its steps run");
  if (flags.optimizer != onnxruntime_name) return {};
  if (deploy_level == "off")
    return contradiction("--optimizer onnxruntime", "--deploy-level off",
                         "with its optimizations off the runtime changes nothing; leave --deploy-level out");
  return {};
}

}  // namespace

Result<OptimizerRequest> read_plan(const PlanFlags& flags, const std::filesystem::path& data,
                                   const std::string& deploy_level) {
  if (auto fine = refuse_contradictions(flags); !fine) return tl::unexpected(fine.error());
  if (auto fine = refuse_for_others(flags, deploy_level); !fine) return tl::unexpected(fine.error());
  OptimizerRequest request;
  FlagReader reader;
  reader.set(request.recipe, name_list("--passes", flags.passes));
  reader.set(request.each, name_list("--each", flags.each));
  request.all_passes = flags.all_passes;
  std::string repeat = "once";
  reader.read(repeat, choice, "--repeat", flags.repeat, std::vector<std::string>{"once", "library", "stable"});
  request.repeat = repeat_named(repeat).value_or(Repeat::once);
  if (!flags.optimizer.empty()) reader.set(request.name, optimizer_named("--optimizer", flags.optimizer));
  reader.set(request.options, program_options(flags, data));
  return reader.result(std::move(request));
}

}  // namespace culprit
