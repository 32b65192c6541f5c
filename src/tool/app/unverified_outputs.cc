#include "app/unverified_outputs.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {

std::string unverified_outputs(const ModelReport& report, const std::vector<std::string>& accepted) {
  std::vector<std::string> said, flags;
  for (const WeakOutput& weak : report.baseline.weak) {
    if (weak.is_constant || std::ranges::find(accepted, weak.output) != accepted.end()) continue;
    said.push_back("'" + weak.output + "' is " + weak.reason);
    flags.push_back("--accept-weak " + weak.output);
  }
  if (said.empty()) return "";
  return "nobody verified " + std::string(said.size() == 1 ? "an output" : "some outputs") + ": " + join(said, "; ") +
         ". Give samples on which it changes (--data, --input, --samples), or take it as it is: " + join(flags, " ");
}

Result<void> are_outputs(const std::vector<std::string>& names, const Model& model) {
  for (const std::string& name : names) {
    const auto& outputs = model.interface.outputs;
    const auto has_part = [&](const ValueInfo& output) { return name.starts_with(output.name); };
    if (std::ranges::none_of(outputs, has_part))
      return fail(ErrorKind::usage, "--accept-weak " + printable(name, 100) + ": the model has no such output");
  }
  return {};
}

}  // namespace culprit
