#include "cli/sample_flags.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "task/choose_task.h"

namespace culprit {

std::string task_choices() { return "auto|" + join(task_names(), "|"); }

void add_data_flags(const Flags& command, SampleFlags& flags) {
  const Flags group = command.group("Data (without these: what lies beside the model, else random values)");
  group.value("--data", flags.data, "PATH");
  group.value("--preprocess", flags.preprocess, "PATH|PRESET");
  group.value("--generate", flags.generate, "N");
  group.value("--samples", flags.samples, "N");
  group.value("--seed", flags.seed, "S");
  group.values("--input", flags.inputs, "NAME=VALUE|FILE");
  command.toggle("--undirected", flags.undirected).hidden();
  group.values("--dim", flags.dims, "NAME=N");
}

void add_decision_flags(const Flags& command, SampleFlags& flags) {
  const Flags group = command.group("Predictions (with --data: are they the same on all of it?)");
  group.value("--task", flags.task, task_choices());
  group.value("--labels", flags.labels, type_file);
}

Result<DataRequest> read_samples(const SampleFlags& flags) {
  constexpr std::int64_t most_samples = 10'000;
  DataRequest request;
  FlagReader reader;
  request.samples.data = flags.data;
  request.samples.preprocess = flags.preprocess;
  request.labels = flags.labels;
  std::vector<std::string> tasks = task_names();
  tasks.insert(tasks.begin(), "auto");
  reader.read(request.task, choice, "--task", flags.task, tasks);
  reader.read(request.samples.samples, whole_number, "--samples", flags.samples, 1, most_samples);
  reader.read(request.samples.generate, whole_number, "--generate", flags.generate, 1, most_generated);
  reader.read(request.samples.seed, seed_number, "--seed", flags.seed);
  reader.set(request.samples.dims, sizes_by_name("--dim", flags.dims));
  request.samples.inputs = flags.inputs;
  for (const std::string& input : flags.inputs)
    if (const auto equals = input.find('='); equals == std::string::npos || equals == 0 || equals + 1 == input.size())
      reader.set(request.samples.inputs, Result<std::vector<std::string>>(
                                             fail(ErrorKind::usage, fmt::format("--input {}: not NAME=VALUE", input),
                                                  "such as --input x=x.npy or --input n=7")));
  return reader.result(std::move(request));
}

}  // namespace culprit
