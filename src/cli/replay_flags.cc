#include "cli/replay_flags.h"

#include "cli/flag_values.h"

namespace culprit {

void add_replay(const Flags& command, ReplayFlags& flags) {
  command.words("REPRO", flags.repros, type_folder, "Folders that culprit check wrote below repro/").required();
  command.value("--tries", flags.tries, "N", "How often each fault is tried, from the import on (default 3)");
  command.value("--runtime", flags.runtime, "PATH|VERSION",
                "ONNX Runtime library, or a version that scripts/setup brought");
  command.value("--jobs", flags.jobs, "N", "Processes at once (default: the number of cores)");
  command.value("--timeout", flags.timeout, "TIME", "Time for one attempt (default: as the repro says)");
  command.value("--format", flags.format, "text|json", "What is printed: a text to read (default), or JSON");
}

Result<ReplayArguments> resolve(const ReplayFlags& flags) {
  ReplayArguments arguments;
  arguments.runtime = flags.runtime;
  for (const std::string& repro : flags.repros) {
    if (repro.empty()) return fail(ErrorKind::usage, "the name of a repro is empty", "give the path of a folder");
    arguments.repros.emplace_back(repro);
  }
  const auto tries = whole_number("--tries", flags.tries.empty() ? "3" : flags.tries, 1, 1000);
  if (!tries) return tl::unexpected(tries.error());
  arguments.tries = static_cast<int>(*tries);
  const auto jobs = whole_number("--jobs", flags.jobs.empty() ? "0" : flags.jobs, flags.jobs.empty() ? 0 : 1, 1024);
  if (!jobs) return tl::unexpected(jobs.error());
  arguments.jobs = static_cast<int>(*jobs);
  if (!flags.timeout.empty()) {
    const auto seconds = duration("--timeout", flags.timeout);
    if (!seconds) return tl::unexpected(seconds.error());
    arguments.cpu_seconds = *seconds;
  }
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  arguments.format = *format == "json" ? Format::json : Format::text;
  return arguments;
}

}  // namespace culprit
