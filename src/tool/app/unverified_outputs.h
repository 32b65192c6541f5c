#pragma once
// Outputs that nobody verified, though all that was compared is right.

#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "record/report.h"

namespace culprit {

/// Why a file is not written, and what helps: outputs that are the same on all samples, though other inputs could
/// change them, and that are not among those that the user accepted; "" where there is none.
std::string unverified_outputs(const ModelReport& report, const std::vector<std::string>& accepted);

/// ErrorKind::usage where --accept-weak names what is no output of the model.
Result<void> are_outputs(const std::vector<std::string>& names, const Model& model);

}  // namespace culprit
