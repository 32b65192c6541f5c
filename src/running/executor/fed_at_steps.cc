#include "executor/fed_at_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "executor/run_and_wait.h"
#include "tensor/pack_file.h"
#include "tensor/steps.h"
#include "tensor/token_loop.h"

namespace culprit {

Result<std::vector<std::filesystem::path>> fed_at_steps(Dispatcher& dispatcher, RunJob job,
                                                        const std::vector<NamedTensor>& sample,
                                                        std::span<const std::int64_t> steps) {
  if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
  for (const std::int64_t step : steps) {
    job.samples.push_back(job.folder / fmt::format("shown-{}.pack", step));
    const auto shown = has_tokens(sample) ? shown_at(sample, step) : shown_at_step(sample, step);
    if (auto ok = write_pack(job.samples.back(), shown); !ok) return tl::unexpected(ok.error());
  }
  const std::string model = printable(job.model.string());
  auto ran = run_and_wait(dispatcher, std::move(job));
  if (!ran) return tl::unexpected(ran.error());
  if (!ran->failure.failed() && ran->outputs.size() == steps.size()) return std::move(ran->outputs);
  const std::int64_t step = steps[std::min(ran->outputs.size(), steps.size() - 1)];
  return fail(ran->failure.machine ? ErrorKind::io : ErrorKind::bad_input,
              fmt::format("{} does not run up to step {}: {}", model, step, printable(ran->failure.message, 500)));
}

}  // namespace culprit
