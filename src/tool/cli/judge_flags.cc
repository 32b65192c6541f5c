#include "cli/judge_flags.h"

#include "cli/flag_reader.h"
#include "cli/flag_values.h"

namespace culprit {

void add_judge_flags(const Flags& command, JudgeFlags& flags) {
  const Flags group = command.group(judging_group);
  group.value(
      "--atol", flags.atol, "X",
      "What lies beyond the floor may differ by atol + rtol * |r| (default: by type and by the size of the output)");
  group.value("--rtol", flags.rtol, "X", "Relative tolerance (default: by type; 1e-3 for float32)");
  group.toggle("--strict", flags.strict, "Beyond the noise floor is a fault, also within the tolerance");
  group.value("--confirm", flags.confirm, "N", "Fresh processes in which a failure must show again (default 2)");
}

Result<JudgingRequest> read_judging(const JudgeFlags& flags) {
  JudgingRequest request;
  FlagReader reader;
  reader.read(request.tolerance.atol, tolerance_number, "--atol", flags.atol);
  reader.read(request.tolerance.rtol, tolerance_number, "--rtol", flags.rtol);
  request.strict = flags.strict;
  reader.read(request.confirmations, whole_number, "--confirm", flags.confirm, 0, 100);
  return reader.result(request);
}

}  // namespace culprit
