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

/// The paths of its models become those of files; other paths stay. Errors: those of ModelHubs.
Result<void> bring_models(Command& command, Terminal& terminal);

}  // namespace culprit
