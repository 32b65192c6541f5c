#include "cli/output_flags.h"

#include <vector>

#include "cli/flag_values.h"

namespace culprit {

void add_output_flags(const Flags& command, OutputFlags& flags) {
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json");
  group.value("--run-dir", flags.run_dir, type_folder);
  group.toggle("--keep-variants", flags.keep_variants);
  group.toggle("--no-repro", flags.no_repro);
  group.toggle("--quiet", flags.quiet);
  group.toggle("--verbose", flags.verbose);
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
