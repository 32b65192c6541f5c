#include "profile/measured_kernels.h"

#include "device/ncu.h"

namespace culprit {

Result<std::vector<KernelRecord>> measure_kernels(const MeasuredModel& model, const ProfileTools& tools) {
  MeasuredModel once = model;
  once.job.samples.resize(1);
  const auto command = tools.command_of_run(once, tools.folder / "kernels.job");
  if (!command) return tl::unexpected(command.error());
  NcuOptions options;
  options.scratch = tools.folder;
  options.stop = tools.is_interrupted;
  return profile_kernels(*command, options);
}

}  // namespace culprit
