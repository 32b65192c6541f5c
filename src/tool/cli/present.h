#pragma once
// What all commands do around a request: who hears of progress, how an answer is printed and where it stays.

#include <string>
#include <vector>

#include "app/caller.h"
#include "app/run_folder.h"
#include "cli/output_flags.h"
#include "cli/terminal.h"
#include "report/console.h"

namespace culprit {

/// What --quiet and --verbose say of the log and the progress; from here on Ctrl-C asks the run to end.
void prepare_process(const Printing& printing, Terminal& terminal);

/// Progress of a request on a terminal.
class TerminalListener : public Listener {
 public:
  explicit TerminalListener(Terminal& terminal) : terminal_(terminal) {}
  void progress(std::size_t done, std::size_t total, const std::string& what) override {
    terminal_.progress(done, total, what);
  }
  void progress_ends() override { terminal_.clear_progress(); }
  void finished(const ModelReport&, const Environment&, const std::filesystem::path&) override {}

 private:
  Terminal& terminal_;
};

/// Ends the run folder with this report, and prints it as --format says, into --output where that is given.
Result<void> finish_and_print(RunFolder& folder, const std::string& json, const std::string& text,
                              const Printing& printing, Terminal& terminal);

/// Ends the run folder with this report; or says that the folder keeps what an earlier run left in it, for nothing
/// could be checked.
Result<void> finish_unless_kept(RunFolder& folder, bool keeps_earlier, const std::string& json, Terminal& terminal);

/// The commands that are shown repeat all that is quoted.
ConsoleStyle style_of(const Printing& printing, const Look& look, const QuotedWords& quoted);

/// Says why a command that judges models has no answer, and gives its exit code. `when_interrupted`: the words for
/// Ctrl-C.
int end_without_answer(const Error& error, const char* when_interrupted, Terminal& terminal);

}  // namespace culprit
