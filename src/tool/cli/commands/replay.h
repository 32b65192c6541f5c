#pragma once
// culprit replay REPRO...: is the fault of a repro still there?

#include <string>
#include <vector>

#include "app/replay_repros.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct ReplayArguments {
  ReplayRequest request;
  Format format = Format::text;
};

std::string replays_as_text(const std::vector<Replayed>& replays, int width);
/// Schema culprit.replay/1.
std::string replays_as_json(const std::vector<Replayed>& replays);
/// 1 still there or another failure, 0 gone, 3 cannot judge.
int exit_code_of(ReplayState state);

/// As typed; "" where not given.
struct ReplayFlags {
  std::vector<std::string> repros;
  std::string runtime, optimizer, tries, jobs, timeout, format;
};

void add_replay(CommandParser& parser, ReplayFlags& flags);

/// ErrorKind::usage where a value makes no sense.
Result<ReplayArguments> resolve(const ReplayFlags& flags);

/// Returns the exit code: of several repros, the first of 130, 4, 1, 3, 2, 0.
int run_replay(const ReplayArguments& arguments, Terminal& terminal);

}  // namespace culprit
