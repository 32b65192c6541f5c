#include "app/check_models.h"

#include <algorithm>
#include <span>

#include "app/tool_version.h"
#include "check/external/external_variant.h"
#include "repro/known_faults.h"

namespace culprit {
namespace {

/// Was it read and fed? Else the request is wrong, or the file.
bool was_begun(const ModelReport& report) {
  return report.error.empty() && (report.baseline.status == BaselineStatus::ok || report.data.samples > 0);
}

std::string runtime_that_ran(std::span<const ModelReport> models) {
  for (const ModelReport& model : models)
    for (const VariantRecord& variant : model.variants)
      if (!variant.runtime.empty()) return variant.runtime;
  return "";
}

Result<KnownFaults> known_faults(const std::filesystem::path& file) {
  if (file.empty()) return KnownFaults();
  auto known = read_known(file);
  if (known) return known;
  return fail(known.error().kind, "--known " + known.error().message, known.error().hint);
}

/// The file of --variant, where it is given. That it cannot be read is no usage error.
Result<std::optional<Model>> given_variant(const std::filesystem::path& file) {
  if (file.empty()) return std::nullopt;
  auto variant = load_model(file);
  if (variant) return std::move(*variant);
  return fail(ErrorKind::bad_input, "--variant " + variant.error().message, variant.error().hint);
}

Result<std::vector<ModelReport>> check_each(Workshop& workshop, const CheckRequest& request, const KnownFaults& known,
                                            const std::optional<Model>& variant) {
  const CheckWith check_with = [&](const Model& model, const std::vector<Proposal>& proposals,
                                   const CheckOptions& options, const CheckTools& tools) {
    return variant ? check_external(model, *variant, proposals, options, tools)
                   : check_model(model, proposals, options, tools);
  };
  std::vector<ModelReport> models;
  for (std::size_t i = 0; i < request.models.size(); ++i) {
    if (workshop.caller.is_interrupted()) break;
    auto report = check_one(workshop, request, i, variant ? &*variant : nullptr, check_with);
    if (!report && report.error().kind == ErrorKind::interrupted) break;
    if (!report) return tl::unexpected(report.error());
    mark_known(*report, known);
    const Environment environment = environment_of(workshop, runtime_that_ran({&*report, 1}));
    workshop.caller.listener.finished(*report, environment, workshop.folder.path());
    models.push_back(std::move(*report));
  }
  return models;
}

}  // namespace

Error nothing_kept() {
  return {ErrorKind::interrupted, "interrupted: no model was finished, so no report was written",
          "start it again to check the models"};
}

bool keeps_earlier(const Report& report, const RunFolder& folder) {
  return std::ranges::none_of(report.models, was_begun) && folder.holds_a_report();
}

Report report_of(const Workshop& workshop, const CheckRequest& request, std::vector<ModelReport> models) {
  Report report;
  report.tool_version = tool_version();
  report.command = request.quoted.command;
  report.environment = environment_of(workshop, runtime_that_ran(models));
  Counts counts = workshop.executor->counts();
  if (workshop.second) counts += workshop.second->counts();
  if (workshop.evaluator) counts += workshop.evaluator->counts();
  report.summary = summarize(models, counts, workshop.caller.watch.seconds(), request.judging.strict);
  report.summary.not_reached = static_cast<std::int64_t>(request.models.size() - models.size());
  report.models = std::move(models);
  return report;
}

Result<CheckAnswer> check_models(const CheckRequest& request, const Caller& caller) {
  const auto known = known_faults(request.known);
  if (!known) return tl::unexpected(known.error());
  const auto variant = given_variant(request.variant);
  if (!variant) return tl::unexpected(variant.error());
  auto workshop = Workshop::open(caller, order_of(request));
  if (!workshop) return tl::unexpected(workshop.error());
  auto models = check_each(*workshop, request, *known, *variant);
  if (!models) return tl::unexpected(models.error());
  if (models->empty()) return tl::unexpected(nothing_kept());
  Report report = report_of(*workshop, request, std::move(*models));
  const bool keeps = keeps_earlier(report, workshop->folder);
  const bool was_interrupted = report.summary.not_reached > 0 || caller.is_interrupted();
  return CheckAnswer{std::move(report), std::move(workshop->folder), keeps, was_interrupted};
}

}  // namespace culprit
