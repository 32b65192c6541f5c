#include "reduce/starting_case.h"

#include "baseline/baseline.h"
#include "baseline/directed/directed_samples.h"
#include "model/external_data.h"
#include "tensor/pack_file.h"
#include "trial/plan.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

constexpr std::size_t most_places = 256;

/// The samples of `start`, some of them directed at the places where these passes would fire.
Result<void> direct(Dispatcher& dispatcher, const Reference& reference, const ModelReport& report,
                    const std::vector<std::string>& passes, const CheckOptions& options, const CheckTools& tools,
                    std::vector<std::filesystem::path>& samples) {
  if (passes.empty() || !options.directed || !Directed::possible(reference, report.data)) return {};
  OptimizeJob job = making_job(reference.model, options, {plan_for(passes, options, tools.optimizer).recipe});
  job.most_places = most_places;
  std::vector<Place> places;
  dispatcher.optimize(
      std::move(job), [](const ImportOutcome&) {}, [](const VariantOutcome&) {},
      [&](const ScanOutcome& scan) { places = scan.places; });
  if (auto ok = dispatcher.drain(); !ok) return ok;
  Directed directed(dispatcher, reference, report.data.seed);
  directed.start(places, [&](const DirectedSamples&, const Reference& made) { samples = made.samples; });
  return dispatcher.drain();
}

}  // namespace

Result<StartingCase> find_samples(const Model& model, const std::vector<Proposal>& proposals,
                                  const std::vector<std::string>& passes, const CheckOptions& options,
                                  const CheckTools& tools) {
  Dispatcher dispatcher(tools.executor);
  ModelReport report;
  const auto reference =
      establish_baseline(proposals, dispatcher, model, options, tools.folder, report, tools.progress);
  if (!reference) return tl::unexpected(reference.error());
  const BaselineStatus status = report.baseline.status;
  if (status != BaselineStatus::ok && status != BaselineStatus::weak_data) {
    return fail(ErrorKind::bad_input, report.baseline.message);
  }
  auto samples = reference->samples;
  if (status == BaselineStatus::ok) {
    if (auto ok = direct(dispatcher, *reference, report, passes, options, tools, samples); !ok)
      return tl::unexpected(ok.error());
  }
  StartingCase start;
  start.session = reference->session;
  start.data = name_of(report.data.source);
  start.is_weak = status == BaselineStatus::weak_data;
  if (start.is_weak) start.warnings.push_back(report.baseline.message);
  auto proto = whole_model(model);
  if (!proto) return tl::unexpected(proto.error());
  start.a_case.model = std::move(*proto);
  for (const auto& pack : samples) {
    auto inputs = read_pack(pack);
    if (!inputs) return tl::unexpected(inputs.error());
    start.a_case.samples.push_back(std::move(*inputs));
  }
  return start;
}

}  // namespace culprit
