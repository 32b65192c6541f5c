#include "cli/present.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "process/interrupt.h"

namespace culprit {

void prepare_process(const Printing& printing, Terminal& terminal) {
  set_up_logging(printing.quiet ? Verbosity::quiet : printing.verbose ? Verbosity::verbose : Verbosity::normal);
  if (printing.quiet) terminal.silence_progress();
  watch_interrupts();
}

Result<void> finish_and_print(RunFolder& folder, const std::string& json, const std::string& text,
                              const Printing& printing, Terminal& terminal) {
  if (auto finished = folder.finish(json); !finished) return finished;
  const std::string& printed = printing.format == Format::json ? json : text;
  return printing.output.empty() ? terminal.print(printed) : write_file_atomic(printing.output, printed);
}

void tell_of_kept(const RunFolder& folder, Terminal& terminal) {
  terminal.complain(fmt::format("nothing could be checked, so {} keeps what an earlier run left in it",
                                printable(folder.path().string())));
}

ConsoleStyle style_of(const Printing& printing, const Look& look, const std::vector<std::string>& repeat_flags) {
  const bool to_file = !printing.output.empty();
  return {look.colour && !to_file, to_file ? 80 : look.width, printing.verbose, repeat_flags, printing.only_faults};
}

}  // namespace culprit
