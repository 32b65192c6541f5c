#include "cli/chosen_optimizer.h"

#include "base/text.h"
#include "cli/ask_for_steps.h"
#include "cli/machine_facts.h"
#include "optimizer/onnxruntime/runtime_traits.h"
#include "optimizer/optimizer.h"

namespace culprit {
namespace {

OptimizerTraits linked_optimizer() {
  const auto linked = make_onnx_optimizer();
  OptimizerTraits traits;
  traits.name = linked->name();
  traits.version = linked->version();
  traits.steps = linked->passes();
  return traits;
}

}  // namespace

std::vector<std::string> optimizer_names() { return {"onnx_optimizer", "onnxruntime"}; }

Result<OptimizerTraits> chosen_optimizer(const std::string& name, const std::filesystem::path& library, Level level) {
  if (name == "onnx_optimizer") return linked_optimizer();
  if (name == "onnxruntime") {
    return ask_for_steps(own_program(), library).and_then([&](const Harvest& harvest) {
      return runtime_traits(harvest, level);
    });
  }
  const std::string near = closest(name, optimizer_names());
  return fail(ErrorKind::usage, "--optimizer: there is no optimizer '" + printable(name, 80) + "'",
              near.empty() ? "`culprit optimizers` lists them" : "did you mean '" + near + "'?");
}

}  // namespace culprit
