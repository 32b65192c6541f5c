#include "optimizer/onnx_optimizer/catalog.h"

#include <algorithm>
#include <string_view>

#include "optimizer/onnx_optimizer/help.h"
#include "optimizer/onnx_optimizer/library.h"

namespace culprit {
namespace {

namespace library = onnx::optimization;

std::string kind_of(const library::Pass& pass) {
  switch (pass.getPassType()) {
    case library::PassType::Fuse:
      return "fuse";
    case library::PassType::Nop:
      return "eliminate";
    case library::PassType::Separate:
      return "separate";
    case library::PassType::Replace:
      return "replace";
    case library::PassType::Immutable:
    case library::PassType::Other:
      break;
  }
  return "other";
}

/// The library does not say what a pass promises; these are the ones that promise less than all others.
Contract contract_of(std::string_view pass) {
  if (pass == "rename_input_output" || pass == "rewrite_input_dtype") return Contract::interface;
  if (pass == "split_init" || pass == "split_predict") return Contract::partition;
  return Contract::equivalent;
}

}  // namespace

std::vector<PassInfo> onnx_optimizer_passes() {
  const auto bundle = library::GetFuseAndEliminationPass();
  std::vector<PassInfo> passes;
  for (const auto& name : library::GetAvailablePasses()) {
    const auto pass = library::Optimizer::passes.find(name);
    PassInfo info;
    info.name = name;
    info.kind = kind_of(*pass);
    info.contract = contract_of(name);
    info.in_bundle = std::find(bundle.begin(), bundle.end(), name) != bundle.end();
    info.by_predicate = dynamic_cast<const library::PredicateBasedPass*>(pass.get()) != nullptr;
    info.help = help_for(name);
    passes.push_back(std::move(info));
  }
  return passes;
}

}  // namespace culprit
