#include "cli/twin_flags.h"

#include "cli/flag_values.h"

namespace culprit {

void add_twin(const Flags& command, TwinFlags& flags) {
  command.word("MODEL", flags.model, type_file, "ONNX file to make a twin of").required();
  command.value("-o,--output", flags.out, type_file, "Where the twin is written; not the model itself").required();
  command.toggle("--reweight", flags.reweight,
                 "Seeded weights, calibrated to unit variance (default where most weights are constant)");
  command.toggle("--frozen", flags.frozen, "The weights as they are, no longer among the inputs (default elsewhere)");
  command.value("--seed", flags.seed, "S", "Seed of the weights (default 0)");
  command.value("--runtime", flags.runtime, "PATH|VERSION",
                "ONNX Runtime library, or a version that scripts/setup brought");
}

Result<TwinArguments> resolve(const TwinFlags& flags) {
  if (flags.frozen && flags.reweight) {
    return fail(ErrorKind::usage, "--frozen and --reweight contradict each other", "give one of them");
  }
  if (flags.frozen && !flags.seed.empty()) {
    return fail(ErrorKind::usage, "--frozen and --seed contradict each other: a frozen twin keeps its weights",
                "give one of them");
  }
  TwinArguments arguments{flags.model, flags.out, {}, flags.runtime};
  if (flags.frozen) arguments.twin.kind = TwinKind::frozen;
  if (flags.reweight) arguments.twin.kind = TwinKind::reweighted;
  if (!flags.seed.empty()) {
    const auto seed = seed_number("--seed", flags.seed);
    if (!seed) return tl::unexpected(seed.error());
    arguments.twin.seed = *seed;
  }
  return arguments;
}

}  // namespace culprit
