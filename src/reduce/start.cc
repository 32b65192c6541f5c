#include "reduce/start.h"

#include "check/baseline.h"
#include "check/directed.h"
#include "check/plan.h"
#include "model/external_data.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

constexpr std::size_t most_places = 256;

Result<void> direct(Desk& desk, Basis& basis, const ModelReport& report, const std::vector<std::string>& passes,
                    const CheckTools& tools) {
  if (passes.empty() || !Directed::possible(basis, report.data)) return {};
  OptimizeJob job;
  job.model = basis.model.path;
  job.optimizer = basis.options.optimizer;
  job.recipes = {plan_for(passes, basis.options, tools.passes).recipe};
  job.limits = basis.options.limits;
  job.most_places = most_places;
  std::vector<Place> places;
  desk.optimize(
      std::move(job), [](const ImportOutcome&) {}, [](const VariantOutcome&) {},
      [&](const ScanOutcome& scan) { places = scan.places; });
  if (auto ok = desk.drain(); !ok) return ok;
  Directed directed(desk, basis, report.data.seed);
  directed.start(places, [](const DirectedSamples&) {});
  return desk.drain();
}

}  // namespace

Result<StartingCase> find_samples(const Model& model, const std::vector<Proposal>& proposals,
                                  const std::vector<std::string>& passes, const CheckOptions& options,
                                  const CheckTools& tools) {
  Desk desk(tools.executor);
  Basis basis{model, options, tools.folder, {}, {}, {}, {}, "", ""};
  ModelReport report;
  if (auto ok = establish_baseline(proposals, desk, basis, report, tools.progress); !ok)
    return tl::unexpected(ok.error());
  const BaselineStatus status = report.baseline.status;
  if (status != BaselineStatus::ok && status != BaselineStatus::weak_data) {
    return fail(ErrorKind::bad_input, report.baseline.message);
  }
  if (status == BaselineStatus::ok) {
    if (auto ok = direct(desk, basis, report, passes, tools); !ok) return tl::unexpected(ok.error());
  }
  StartingCase start;
  start.session = basis.session;
  start.data = report.data.source;
  if (status == BaselineStatus::weak_data) start.warnings.push_back(report.baseline.message);
  auto proto = whole_model(model);
  if (!proto) return tl::unexpected(proto.error());
  start.a_case.model = std::move(*proto);
  for (const auto& pack : basis.samples) {
    auto inputs = read_pack(pack);
    if (!inputs) return tl::unexpected(inputs.error());
    start.a_case.samples.push_back(std::move(*inputs));
  }
  return start;
}

}  // namespace culprit
