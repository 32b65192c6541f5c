#include "cli/case_frame.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "app/machine_facts.h"
#include "app/workers.h"
#include "app/workshop.h"
#include "base/file.h"
#include "cli/command_line.h"
#include "trial/plan.h"

namespace culprit {
namespace {

/// Not one of these, which are some.
bool has_no_step_of(const OptimizerTraits& optimizer, const std::vector<std::string>& recipe) {
  return !recipe.empty() && std::ranges::none_of(recipe, [&](const std::string& name) {
    return std::ranges::find(optimizer.steps, name, &PassInfo::name) != optimizer.steps.end();
  });
}

template <class Request>
Result<CaseFrame> frame_of_workshop(Request request, const CaseOrder& order, const fs::path& scratch) {
  if (!request.folder.run_dir.empty())
    return fail(ErrorKind::usage, "flags: --run-dir is what the campaign gives each case", "leave it out");
  if constexpr (requires { request.models.size(); }) {
    if (request.models.size() != 1)
      return fail(ErrorKind::usage, "flags: they name another model",
                  "list it under 'models'; a list keeps words with spaces");
  }
  request.folder.run_dir = scratch / "frame";
  DeafListener nobody;
  const auto workers = make_process_workers(own_program());
  const Caller caller{*workers, nobody};
  const auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  const Environment environment = environment_of(*workshop);
  CaseFrame frame{"", "", environment.onnxruntime};
  if (!order.runtime.empty()) frame.runtime += " named " + order.runtime;
  if (order.job != CampaignJob::check && order.optimizer.empty()) return frame;
  frame.optimizer = workshop->optimizer.name;
  frame.optimizer_version = workshop->optimizer.version;
  if constexpr (std::is_same_v<Request, CheckRequest>) {
    const CheckOptions options = options_in(*workshop, request.running, request.judging, request.optimizer);
    if (workshop->optimizer.steps.empty()) return frame;  // they depend on the model
    const auto plan = make_plan(options, workshop->optimizer);
    const bool has_none = !order.recipe.empty() && has_no_step_of(workshop->optimizer, options.recipe);
    if (!plan && has_none) frame.unfit = plan.error();
    if (!plan && !has_none) return tl::unexpected(plan.error());
  }
  return frame;
}

}  // namespace

Result<CaseFrame> frame_of_case(const CaseOrder& order) {
  const auto command = parse_command_line(words_of(order));
  if (!command) return tl::unexpected(command.error());
  const auto scratch = TemporaryFolder::create(fs::temp_directory_path(), "culprit-plan-");
  if (!scratch) return tl::unexpected(scratch.error());
  const auto ask = [&](const auto& arguments) { return frame_of_workshop(arguments.request, order, scratch->path()); };
  if (const auto* check = std::get_if<CheckArguments>(&*command)) return ask(*check);
  if (const auto* profile = std::get_if<ProfileArguments>(&*command)) return ask(*profile);
  if (const auto* eval = std::get_if<EvalArguments>(&*command)) return ask(*eval);
  if (const auto* diagnose = std::get_if<DiagnoseArguments>(&*command)) return ask(*diagnose);
  return fail(ErrorKind::usage, "the flags turn it into another command", "leave out --help and --version");
}

}  // namespace culprit
