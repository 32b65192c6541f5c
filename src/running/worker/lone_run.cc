#include "worker/lone_run.h"

#include "base/file.h"
#include "runtime/open_runner.h"
#include "runtime/run_sample.h"
#include "tensor/pack_file.h"
#include "worker/run_job.h"
#include "worker/wire.h"

namespace culprit {

Result<void> write_lone_run(const RunJob& job, RunnerSpec runner, const std::filesystem::path& file) {
  RunJob placed = job;
  placed.model = std::filesystem::absolute(job.model);
  for (auto& sample : placed.samples) sample = std::filesystem::absolute(sample);
  for (auto& library : placed.session.custom_ops) library = std::filesystem::absolute(library);
  runner.library = std::filesystem::absolute(runner.library);
  const wire::RunJob message = wire::encode(placed, runner);
  return write_file_atomic(file, message.SerializeAsString());
}

Result<void> run_alone(const std::filesystem::path& file, const WorkerSkills& skills) {
  const auto bytes = read_file(file);
  if (!bytes) return tl::unexpected(bytes.error());
  wire::RunJob message;
  const auto job = message.ParseFromString(*bytes) ? wire::decode(message) : std::nullopt;
  if (!job) return fail(ErrorKind::bad_input, file.string() + " holds no job");
  const auto runner = skills.open_runner(wire::runner_of(message));
  if (!runner) return tl::unexpected(runner.error());
  const auto session = (*runner)->load(job->model, job->session);
  if (!session) return tl::unexpected(session.error());
  for (const auto& sample : job->samples) {
    auto pack = read_pack(sample);
    if (!pack) return tl::unexpected(pack.error());
    const auto inputs = bind_inputs(std::move(*pack), job->inputs, job->outputs);
    if (!inputs) return tl::unexpected(inputs.error());
    if (const auto ran = run_sample(**session, *inputs); !ran) return tl::unexpected(ran.error());
  }
  return {};
}

}  // namespace culprit
