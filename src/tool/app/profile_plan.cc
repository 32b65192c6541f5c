#include "app/profile_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/profile_providers.h"
#include "app/profile_rows.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "model/model_format.h"
#include "process/run_program.h"
#include "trial/plan.h"

namespace culprit {
namespace {

constexpr double patience = 60;  // seconds that a library may take to load

/// Each library has to have them.
Result<void> choose_providers(const ProfileRequest& request, const ProbedRuntime& runtime, ProfiledThings& things) {
  auto providers = providers_named(request.providers, runtime.providers, "ONNX Runtime " + runtime.version);
  if (!providers) return tl::unexpected(providers.error());
  things.providers = std::move(*providers);
  return {};
}

/// The libraries that --runtime names, each tried.
Result<void> find_libraries(const ProfileRequest& request, const Workshop& workshop, ProfiledThings& things) {
  for (const std::string& named : request.runtimes) {
    const std::string flag = fmt::format("--runtime {}: ", printable(named, 200));
    auto library = workshop.caller.workers.find_runtime(named);
    if (!library) return fail(ErrorKind::usage, flag + library.error().message, library.error().hint);
    if (std::ranges::find(things.libraries, *library) != things.libraries.end())
      return fail(ErrorKind::usage, flag + "this library is named twice", "name each once");
    const auto probed = workshop.caller.workers.probe(*library, patience);
    if (!probed)
      return fail(ErrorKind::usage, flag + probed.error().message,
                  "name ONNX Runtime's library for this machine, or a version that scripts/setup brought");
    if (auto ok = choose_providers(request, *probed, things); !ok) return ok;
    things.libraries.push_back(*library);
    things.library_names.push_back(probed->version);
  }
  if (!things.libraries.empty()) return {};
  things.libraries.push_back(workshop.runtime_library);
  if (request.providers.empty()) return {};
  const auto probed = workshop.caller.workers.probe(workshop.runtime_library, patience);
  if (!probed) return tl::unexpected(probed.error());
  return choose_providers(request, *probed, things);
}

/// A whole level of the runtime, which stands among the rows of levels anyway: those of the command, else "all".
bool is_row_of_levels(const Recipe& recipe, const std::vector<Level>& levels) {
  const auto level = level_named(recipe.level);
  if (!is_whole_level(recipe) || !level) return false;
  return levels.empty() ? *level == Level::all : std::ranges::find(levels, *level) != levels.end();
}

/// Steps of an optimizer that they depend on are asked for the first model's.
Result<void> plan_recipes(Workshop& workshop, const ProfileRequest& request, ProfiledThings& things) {
  if (!request.optimizer) return {};
  if (auto ok = list_steps_for(workshop, request.models.front()); !ok) return ok;
  CheckOptions options = options_in(workshop, request.running, request.judging, *request.optimizer);
  options.only_bundle = options.recipe.empty() && options.each.empty();
  const auto plan = make_plan(options, workshop.optimizer);
  if (!plan) return tl::unexpected(plan.error());
  for (const PlannedVariant& planned : *plan) {
    if (is_row_of_levels(planned.recipe, request.levels)) continue;
    things.recipes.push_back(planned.recipe);
    things.recipe_names.push_back(planned.is_bundle && !runs_in_session(planned.recipe) ? workshop.optimizer.name
                                                                                        : name_of(planned));
  }
  return {};
}

/// --kernels is refused where it can tell nothing, before anything is measured.
Result<void> refuse_kernels(const std::vector<ProfiledRow>& rows) {
  constexpr const char* ncu = "ncu";
  if (std::ranges::none_of(rows, [](const ProfiledRow& row) { return runs_on_nvidia(row.session.provider); }))
    return fail(ErrorKind::usage, "--kernels: no row runs on NVIDIA's GPU, so none launches kernels",
                "add one: --provider cuda");
  if (can_start(ncu)) return {};
  return fail(ErrorKind::usage, "--kernels: there is no program 'ncu' on PATH",
              "install NVIDIA Nsight Compute, or add the folder of its ncu to PATH");
}

/// What only ONNX Runtime does, or is done to ONNX models, is refused where there are others.
Result<void> refuse_for_other_formats(const ProfileRequest& request) {
  const auto& models = request.models;
  const auto other =
      std::ranges::find_if(models, [](const fs::path& model) { return format_of(model) != ModelFormat::onnx; });
  if (other == models.end()) return {};
  const bool has_providers =
      std::ranges::any_of(request.providers, [](const std::string& provider) { return lower_case(provider) != "cpu"; });
  const char* flag = request.optimizer             ? "--optimizer, --passes or --each"
                     : request.blame               ? "--blame"
                     : request.runtimes.size() > 1 ? "more than one --runtime"
                     : has_providers               ? "--provider"
                                                   : nullptr;
  if (flag == nullptr) return {};
  return fail(ErrorKind::usage,
              fmt::format("{} is for ONNX models, and {} is a model of the format {}", flag, printable(other->string()),
                          name_of(format_of(*other))),
              "leave it out, or profile that model by itself");
}

}  // namespace

Result<std::vector<ProfiledRow>> plan_rows(Workshop& workshop, const ProfileRequest& request) {
  if (auto ok = refuse_for_other_formats(request); !ok) return tl::unexpected(ok.error());
  ProfiledThings things;
  things.models = request.models;
  if (auto ok = find_libraries(request, workshop, things); !ok) return tl::unexpected(ok.error());
  if (auto ok = plan_recipes(workshop, request, things); !ok) return tl::unexpected(ok.error());
  const bool is_one = things.models.size() == 1 && things.libraries.size() == 1 && things.providers.size() == 1 &&
                      things.recipes.empty();
  things.levels = request.levels;
  if (things.levels.empty() && is_one && format_of(things.models.front()) != ModelFormat::onnx)
    things.levels = {Level::off, Level::all};  // these have no levels between
  if (things.levels.empty())
    things.levels =
        is_one ? std::vector{Level::off, Level::basic, Level::extended, Level::all} : std::vector{Level::all};
  auto rows = rows_of(things, workshop.session);
  if (request.kernels)
    if (auto ok = refuse_kernels(rows); !ok) return tl::unexpected(ok.error());
  return rows;
}

}  // namespace culprit
