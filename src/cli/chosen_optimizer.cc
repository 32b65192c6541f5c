#include "cli/chosen_optimizer.h"

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

std::vector<std::string> optimizer_names() { return {onnx_optimizer_name, onnxruntime_name}; }

Result<OptimizerTraits> chosen_optimizer(const std::string& name, const std::filesystem::path& library, Level level) {
  if (name != onnxruntime_name) return linked_optimizer();
  return ask_for_steps(own_program(), library).and_then([&](const Harvest& harvest) {
    return runtime_traits(harvest, level);
  });
}

}  // namespace culprit
