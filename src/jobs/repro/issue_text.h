#pragma once
// README.md of a repro: an issue text, ready to post to whoever maintains what is at fault.

#include <string>
#include <vector>

#include "repro/repro_json.h"

namespace culprit {

/// Title, versions, what is expected, what happens, where the values of the model it was found in part first (""; left
/// out), the rewrite (`diff`, lines; empty: left out), how to run it.
std::string issue_text(const ReproFacts& facts, const std::vector<std::string>& diff,
                       const std::string& first_divergence = "");

}  // namespace culprit
