#pragma once
// Does a case still fail, says any shell command: so faults of every other tool can be reduced.

#include <filesystem>
#include <functional>
#include <string>

#include "executor/dispatcher.h"
#include "reduce/reduce.h"

namespace culprit {

struct CommandOptions {
  std::string command;   ///< for /bin/sh; {model} and {data} stand for a model's path and its test_data_set_0, quoted
  double seconds = 120;  ///< of the clock, for one run; then it is killed with all it started, and the answer is no
  std::size_t jobs = 1;  ///< at once
  Limits limits;         ///< of ONNX's checker, which is asked before
  std::filesystem::path folder;               ///< exists; each run has a folder of its own in it, where it starts
  std::function<bool()> is_interrupted = {};  ///< asked while commands run; empty: never
};

/// The exit code is the verdict, as for C-Reduce: 0 is yes, it still fails. (A leading `!` turns it round: then the
/// command fails where the fault is.) What ends by a signal or runs out of time is no. Where the shell cannot find or
/// run the command (126, 127), that is ErrorKind::usage on the first cases, and no later. Cases that ONNX's checker
/// refuses, other than the first one in the same words, are not asked about; nor those that declare types which are not
/// true, where the first one did not.
class CommandOracle : public Oracle {
 public:
  CommandOracle(Executor& executor, CommandOptions options);

  Result<std::vector<Answer>> ask(std::span<const Case> cases, bool fresh) override;
  [[nodiscard]] std::size_t places() const override { return options_.jobs; }

  /// The first case's complaint is none: the checker is asked about it before anything is reduced.
  Result<void> accept_complaint_of(const Case& a_case);

 private:
  struct Complaint {
    std::string text;          ///< normalized
    bool is_mistyped = false;  ///< shape inference says that declared types are not true
  };
  Result<std::vector<Complaint>> complaints(const std::vector<std::filesystem::path>& folders);
  Result<std::filesystem::path> write(const Case& a_case);

  Dispatcher dispatcher_;
  CommandOptions options_;
  Complaint accepted_;  ///< of the first case
  std::size_t runs_ = 0;
  bool has_run_ = false;  ///< the command, once
};

/// Gives the same script, but where it is one pipeline behind a `!`, what the shell cannot find or run (126, 127) stays
/// that: the shell's own `!` would make "it fails" of it. Of several commands (`! a && b`) the first alone is meant,
/// and that the shell does itself.
std::string keeping_not_found(const std::string& command);

/// The command with its places filled in, quoted for the shell.
std::string command_line(const std::string& command, const std::filesystem::path& folder);

}  // namespace culprit
