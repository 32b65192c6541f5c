#pragma once
// The models that a command names by hub:NAME, brought to this machine before it runs.

#include <filesystem>
#include <vector>

#include "app/model_hubs.h"
#include "base/error.h"
#include "cli/command_line.h"
#include "cli/terminal.h"

namespace culprit {

/// Shows how far a download is on the terminal.
HubProgress progress_on(Terminal& terminal);

/// Hubs as this machine asks them; `base` as in HubSettings. Errors: those of hub_settings_here.
Result<ModelHubs> hubs_for(Terminal& terminal, const std::filesystem::path& base = {});
void tell_notes(const ModelHubs& hubs, Terminal& terminal);

/// The paths of its models become those of files; other paths stay. Errors: those of ModelHubs.
Result<void> bring_models(Command& command, Terminal& terminal);

}  // namespace culprit
