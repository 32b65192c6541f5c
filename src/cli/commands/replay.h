#pragma once
// culprit replay REPRO...: is the fault of a repro still there?

#include <filesystem>
#include <string>
#include <vector>

#include "cli/model_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "repro/replay.h"

namespace culprit {

struct ReplayArguments {
  std::vector<std::filesystem::path> repros;
  std::string runtime;    ///< path or version; "": the default one
  std::string optimizer;  ///< a program, or a file that describes one; "": the known one that the repro names
  int tries = 3;
  int jobs = 0;            ///< 0: as many as cores
  double cpu_seconds = 0;  ///< 0: as the repro says
  Format format = Format::text;
};

/// What became of one repro.
struct Replayed {
  std::filesystem::path path;
  ReproFacts facts;  ///< empty where it cannot be read
  Replay replay;     ///< `message` tells what is wrong with it where it cannot be read
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
