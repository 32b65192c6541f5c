#include "cli/bring_models.h"

#include <fmt/format.h>

#include <variant>

#include "base/text.h"
#include "process/interrupt.h"

namespace culprit {
namespace {

using ModelPaths = std::vector<std::filesystem::path*>;

ModelPaths places_of(std::vector<std::filesystem::path>& models) {
  ModelPaths paths;
  paths.reserve(models.size());
  for (std::filesystem::path& model : models) paths.push_back(&model);
  return paths;
}

ModelPaths models_in(CheckRequest& request) {
  ModelPaths paths = places_of(request.models);
  paths.push_back(&request.variant);
  return paths;
}
ModelPaths models_in(OptimizeRequest& request) { return models_in(request.check); }
ModelPaths models_in(OrdersRequest& request) { return models_in(request.check); }
ModelPaths models_in(TwoModelsRequest& request) { return {&request.a, &request.b}; }
ModelPaths models_in(DiagnoseRequest& request) {
  ModelPaths paths = places_of(request.intermediates);
  paths.insert(paths.end(), {&request.a, &request.b});
  return paths;
}
ModelPaths models_in(EvaluateRequest& request) { return places_of(request.models); }
ModelPaths models_in(ProfileRequest& request) { return places_of(request.models); }
ModelPaths models_in(ReduceRequest& request) { return {&request.model}; }

/// A command without models has none.
template <class Arguments>
ModelPaths models_of_command(Arguments& arguments) {
  if constexpr (requires { models_in(arguments.request); })
    return models_in(arguments.request);
  else if constexpr (requires { std::filesystem::path(arguments.model); })
    return {&arguments.model};
  else
    return {};
}

}  // namespace

HubProgress progress_on(Terminal& terminal) {
  return [&terminal](const std::string& model, std::uint64_t done, std::optional<std::uint64_t> total) {
    constexpr std::uint64_t megabyte = 1'000'000;
    const std::string what = printable(model, 100);
    if (total)
      terminal.progress(done / megabyte, *total / megabyte, "MB of " + what);
    else
      terminal.progress(0, 0, fmt::format("{}: {} MB", what, done / megabyte));
  };
}

Result<ModelHubs> hubs_for(Terminal& terminal, const std::filesystem::path& base) {
  watch_interrupts();
  auto settings = hub_settings_here();
  if (!settings) return tl::unexpected(settings.error());
  settings->base = base;
  return ModelHubs(std::move(*settings), progress_on(terminal), interrupt_requested);
}

void tell_notes(const ModelHubs& hubs, Terminal& terminal) {
  terminal.clear_progress();
  for (const std::string& note : hubs.notes()) terminal.complain(note);
}

Result<void> bring_models(Command& command, Terminal& terminal) {
  const ModelPaths paths = std::visit([](auto& arguments) { return models_of_command(arguments); }, command);
  std::optional<ModelHubs> hubs;
  for (std::filesystem::path* path : paths) {
    if (!names_hub(path->native())) continue;
    if (!hubs) {
      auto made = hubs_for(terminal);
      if (!made) return tl::unexpected(made.error());
      hubs.emplace(std::move(*made));
    }
    auto file = hubs->bring(path->native());
    terminal.clear_progress();
    if (!file) return tl::unexpected(file.error());
    *path = std::move(*file);
  }
  if (hubs) tell_notes(*hubs, terminal);
  return {};
}

}  // namespace culprit
