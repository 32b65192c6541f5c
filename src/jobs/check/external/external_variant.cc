#include "check/external/external_variant.h"

#include <algorithm>

#include "base/text.h"
#include "check/external/external_diff.h"
#include "check/external/external_executor.h"
#include "check/external/look_inside.h"
#include "check/external/which_pass_made_it.h"
#include "model/bind_models.h"

namespace culprit {
namespace {

Result<ModelReport> check_recipe(const Recipe& recipe, const Model& model, const std::vector<Proposal>& proposals,
                                 const CheckOptions& options, const CheckTools& tools) {
  CheckOptions own = options;
  own.recipe = recipe.passes;
  own.repeat = recipe.repeat;
  CheckTools own_tools = tools;
  own_tools.look_inside = {};  // a recipe's variants are judged by their outputs, as `check` judges them
  return check_model(model, proposals, own, own_tools);
}

/// Of a file, the report says nothing that is true of optimizers only: their controls, a recipe's passes.
void tell_of_the_file(ModelReport& report) {
  std::erase_if(report.controls, [](const ControlRecord& control) {
    return control.name == ControlName::round_trip || control.name == ControlName::optimizer_repeat;
  });
  for (VariantRecord& variant : report.variants) {
    variant.recipe.passes.clear();
    variant.file.clear();  // the user's own file stays where it is
  }
  for (FaultRecord& fault : report.faults) {
    if (fault.kind == FaultKind::single) fault.kind = FaultKind::given;
  }
}

Result<ModelReport> check_file(const Making& making, const Model& model, const Model& variant,
                               const std::vector<Proposal>& proposals, const CheckOptions& options,
                               const CheckTools& tools) {
  ExternalExecutor executor(tools.executor, model, making.original, variant);
  const std::string name = printable(variant.path.filename().string(), 100);
  OptimizerTraits optimizer;
  optimizer.name = external_optimizer;
  optimizer.steps = {{name, "given", Contract::equivalent, false, false, ""}};
  CheckOptions own = options;
  own.optimizer = external_optimizer;
  own.each = {name};
  own.localize = false;
  own.directed = false;
  const CheckTools own_tools{
      executor,         optimizer,         tools.folder,   tools.progress,  tools.is_time_up, tools.is_interrupted,
      tools.keep_fault, tools.look_inside, tools.data_set, tools.witnesses, tools.clock};
  auto report = check_model(model, proposals, own, own_tools);
  if (report) tell_of_the_file(*report);
  return report;
}

/// A file whose inputs or outputs stand for none of the model's is another model, and no variant of it.
Result<void> must_be_related(const Model& model, const Model& variant) {
  const auto binding = bind_models(model.interface, variant.interface, {}, {"the model", "the variant"});
  if (binding || binding.error().kind != ErrorKind::bad_input) return {};
  return fail(ErrorKind::bad_input, binding.error().message, "a variant is the same model in another form");
}

}  // namespace

Result<ModelReport> check_external(const Model& model, const Model& variant, const std::vector<Proposal>& proposals,
                                   const CheckOptions& options, const CheckTools& tools) {
  auto making = find_making(model, variant, options, tools);
  if (!making) return tl::unexpected(making.error());
  GivenRecord& given = making->given;
  const bool is_of_passes = given.made_by && !given.made_by->passes.empty();
  if (!given.made_by) {
    if (auto related = must_be_related(model, variant); !related) return tl::unexpected(related.error());
  }
  auto report = is_of_passes ? check_recipe(*given.made_by, model, proposals, options, tools)
                             : check_file(*making, model, variant, proposals, options, tools);
  if (!report) return report;
  if (!is_of_passes && !report->faults.empty()) {
    NodeDiff diff = external_diff(model, variant, report->faults.front().first_divergence);
    given.diff = std::move(diff.lines);
    given.diff_left_out = static_cast<std::int64_t>(diff.more);
  }
  for (const Warning& warning : report->warnings) {
    if (warning.code == not_reached_code) given.not_reached = warning.message;
  }
  report->given = std::move(given);
  return report;
}

}  // namespace culprit
