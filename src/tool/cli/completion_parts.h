#pragma once
// What the scripts of the three shells share. A script is a template with @PLACES@ that are filled in.

#include <string>
#include <vector>

#include "cli/outline.h"

namespace culprit {

std::string bash_script(const std::vector<CommandOutline>& commands);
std::string zsh_script(const std::vector<CommandOutline>& commands);
std::string fish_script(const std::vector<CommandOutline>& commands);

inline bool is_positional(const OptionOutline& option) { return option.names.empty(); }
std::vector<std::string> command_names(const std::vector<CommandOutline>& commands);

}  // namespace culprit
