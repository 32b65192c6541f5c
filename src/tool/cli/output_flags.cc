#include "cli/output_flags.h"

#include <vector>

#include "cli/flag_values.h"

namespace culprit {

void add_output_flags(const Flags& command, OutputFlags& flags) {
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json", "What is printed: a summary to read (default), or the report");
  group.value("--run-dir", flags.run_dir, type_folder, "Folder of this run (default: a new one in .culprit)");
  group.toggle("--keep-variants", flags.keep_variants, "Keep all models that were made, not only faulty ones");
  group.toggle("--no-repro", flags.no_repro, "Keep no folders that show the faults by themselves");
  group.toggle("--quiet", flags.quiet, "No progress and no log");
  group.toggle("--verbose", flags.verbose, "Also what changed nothing, every measurement and noise floor, and log");
}

Result<Printing> read_printing(const OutputFlags& flags) {
  if (flags.quiet && flags.verbose) return contradiction("--quiet", "--verbose", "give one of them");
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  Printing printing;
  printing.format = *format == "json" ? Format::json : Format::text;
  if (flags.output != "-") printing.output = flags.output;
  printing.quiet = flags.quiet;
  printing.verbose = flags.verbose;
  return printing;
}

FolderRequest read_folder(const OutputFlags& flags) { return {flags.run_dir, flags.keep_variants, !flags.no_repro}; }

}  // namespace culprit
