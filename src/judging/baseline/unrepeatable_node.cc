#include "baseline/unrepeatable_node.h"

#include "base/text.h"
#include "compare/first_divergence.h"
#include "compare/first_parting.h"
#include "executor/run_and_wait.h"
#include "trial/plain_reason.h"

namespace culprit {
namespace {

RunOnce in_fresh_processes(Dispatcher& dispatcher, bool fills_memory) {
  return [&dispatcher, fills_memory](RunJob job) -> Result<RunOutcome> {
    job.fresh_process = true;
    job.fills_memory = fills_memory;
    auto ran = run_and_wait(dispatcher, std::move(job));
    if (ran && ran->failure.machine)
      return fail(ErrorKind::io, "the reference could not be run again: " + reason_of(ran->failure.message));
    return ran;
  };
}

}  // namespace

Result<std::string> first_unrepeatable_node(Dispatcher& dispatcher, const Reference& reference) {
  if (dispatcher.must_skip("the node that does not repeat")) return "";
  RunJob job;
  job.session = reference.session;
  job.samples = reference.samples;
  job.limits = reference.options.limits;
  const TwoWays ways{in_fresh_processes(dispatcher, false), in_fresh_processes(dispatcher, true),
                     [](const Tensor& one, const Tensor& other) { return !one.identical(other); }};
  const auto found = first_parting(reference.model, job, reference.folder / "outputs" / "unrepeatable", ways);
  if (!found) return tl::unexpected(found.error());
  if (!found->has_value()) return "";
  return "; the first node whose values differ between two runs is " +
         printable(text_of(std::vector{(*found)->node}), 200);
}

}  // namespace culprit
