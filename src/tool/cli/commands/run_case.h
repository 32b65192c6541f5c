#pragma once
// culprit case FOLDER RUN-FOLDER WORD...: one case of a campaign, in a process of its own that ends with its parent.
// Hidden: `culprit run` starts it.

#include <functional>
#include <string>
#include <vector>

namespace culprit {

/// Runs `command` with the words and the run folder in FOLDER, and tells its exit code over the channel to the parent.
int run_case(const std::vector<std::string>& arguments,
             const std::function<int(const std::vector<std::string>&)>& command);

}  // namespace culprit
