#include "cli/present.h"

#include <fmt/format.h>

#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/exit_code.h"
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

Result<void> finish_unless_kept(RunFolder& folder, bool keeps_earlier, const std::string& json, Terminal& terminal) {
  if (!keeps_earlier) return folder.finish(json);
  terminal.complain(fmt::format("nothing could be checked, so {} keeps what an earlier run left in it",
                                printable(folder.path().string())));
  return {};
}

ConsoleStyle style_of(const Printing& printing, const Look& look, const QuotedWords& quoted) {
  std::vector<std::string> repeat_flags = quoted.repeat_flags;
  repeat_flags.insert(repeat_flags.end(), quoted.optimizer_flags.begin(), quoted.optimizer_flags.end());
  const bool to_file = !printing.output.empty();
  return {look.colour && !to_file, to_file ? 80 : look.width, printing.verbose, std::move(repeat_flags),
          printing.only_faults};
}

int end_without_answer(const Error& error, const char* when_interrupted, Terminal& terminal) {
  terminal.complain(error.kind == ErrorKind::interrupted ? when_interrupted : error.text());
  return exit_code_of(error.kind);
}

}  // namespace culprit
