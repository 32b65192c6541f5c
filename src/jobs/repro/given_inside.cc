#include "repro/given_inside.h"

#include "base/folder.h"
#include "compare/compare_models.h"
#include "repro/fault_divergence.h"
#include "repro/repro_contents.h"

namespace culprit {
namespace {

/// Has each run made in a process that ran nothing before.
class FreshProcesses : public Executor {
 public:
  explicit FreshProcesses(Executor& inner) : inner_(inner) {}

  JobId submit(OptimizeJob job) override { return inner_.submit(std::move(job)); }
  JobId submit(RunJob job) override {
    job.fresh_process = true;
    return inner_.submit(std::move(job));
  }
  std::optional<Outcome> next() override { return inner_.next(); }
  [[nodiscard]] Counts counts() const override { return inner_.counts(); }
  [[nodiscard]] std::size_t places() const override { return inner_.places(); }

 private:
  Executor& inner_;
};

}  // namespace

Result<std::optional<CompareReport>> given_inside(const Reference& reference, const std::filesystem::path& variant,
                                                  const InsideTools& tools) {
  const auto other = load_model(variant);
  if (!other || repro_bytes(reference.model) > most_compared_bytes || !make_folder(tools.folder)) return std::nullopt;
  FreshProcesses fresh(tools.executor);
  Executor& executor = tools.in_fresh_processes ? fresh : tools.executor;
  auto report = compare_models(reference.model, *other, {reference.samples, reference.outputs, {}},
                               compare_options(reference.options, reference.session),
                               {executor, tools.folder, {}, tools.is_time_up});
  remove_folder(tools.folder);
  if (report) return std::optional(std::move(*report));
  if (report.error().kind == ErrorKind::interrupted) return tl::unexpected(report.error());
  return std::nullopt;
}

}  // namespace culprit
