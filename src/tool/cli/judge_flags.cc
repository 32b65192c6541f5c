#include "cli/judge_flags.h"

#include "cli/flag_reader.h"
#include "cli/flag_values.h"

namespace culprit {

void add_judge_flags(const Flags& command, JudgeFlags& flags) {
  const Flags group = command.group(judging_group);
  group.value("--atol", flags.atol, "X");
  group.value("--rtol", flags.rtol, "X");
  group.toggle("--strict", flags.strict);
  group.value("--confirm", flags.confirm, "N");
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
