#include "cli/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/machine_facts.h"
#include "optimizer/optimizer.h"
#include "process/interrupt.h"
#include "runtime/runner.h"
#include "worker/pool.h"

namespace culprit {
namespace {

/// As the repro says, within reason: it comes from anywhere.
Limits limits_for(const ReproFacts& facts, double cpu_seconds) {
  constexpr double longest = 3600;
  Limits limits;
  const bool makes_sense = std::isfinite(facts.cpu_seconds) && facts.cpu_seconds > 0;
  if (makes_sense) limits.cpu_seconds = std::min(facts.cpu_seconds, longest);
  if (cpu_seconds > 0) limits.cpu_seconds = cpu_seconds;
  limits.memory_bytes = usable_memory();
  const bool needs_limit = facts.verdict == Verdict::out_of_memory && facts.memory_bytes > 0;
  if (needs_limit) limits.memory_bytes = std::min(limits.memory_bytes, facts.memory_bytes);
  return limits;
}

/// What is missing here, or "".
std::string missing_for(const Bundle& bundle) {
  const ReproFacts& facts = bundle.facts;
  const auto optimizer = make_onnx_optimizer();
  if (facts.recipe.optimizer != optimizer->name())
    return "its passes are those of '" + facts.recipe.optimizer + "', which this build does not have";
  const auto passes = optimizer->passes();
  for (const std::string& pass : facts.recipe.passes)
    if (std::ranges::find(passes, pass, &PassInfo::name) == passes.end())
      return "this build has no pass '" + pass + "'";
  if (!level_named(facts.level)) return "there is no level '" + facts.level + "' of the runtime";
  std::error_code error;
  for (const std::string& library : facts.custom_ops)
    if (!fs::is_regular_file(bundle.folder / fs::path(library).filename(), error))
      return "it needs the custom operators of '" + library + "'; put that library into the folder";
  return "";
}

Replayed unknown(const fs::path& path, const std::string& why) {
  Replayed replayed{path, {}, {}};
  replayed.replay.message = why;
  return replayed;
}

Result<Replayed> replay_one(const fs::path& path, const ReplayArguments& arguments, Executor& executor,
                            const fs::path& folder) {
  const auto bundle = read_bundle(path);
  if (!bundle) return unknown(path, bundle.error().text());
  Replayed replayed{path, bundle->facts, {}};
  if (replayed.replay.message = missing_for(*bundle); !replayed.replay.message.empty()) return replayed;
  auto work = TemporaryFolder::create(folder, "repro-");
  if (!work) return tl::unexpected(work.error());
  const Limits limits = limits_for(bundle->facts, arguments.cpu_seconds);
  auto replay = culprit::replay(*bundle, arguments.tries, limits, {executor, work->path()});
  const bool ends = !replay && replay.error().kind != ErrorKind::bad_input;
  if (ends) return tl::unexpected(replay.error());
  if (!replay) return unknown(path, replay.error().text());
  replayed.replay = std::move(*replay);
  return replayed;
}

Result<std::vector<Replayed>> replay_all(const ReplayArguments& arguments) {
  const auto library = find_onnxruntime(arguments.runtime);
  if (!library) return tl::unexpected(library.error());
  auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-replay-");
  if (!folder) return tl::unexpected(folder.error());
  auto executor = make_pool({own_program(), *library, arguments.jobs, folder->path()});
  if (!executor) return tl::unexpected(executor.error());
  std::vector<Replayed> replays;
  for (const fs::path& path : arguments.repros) {
    auto replayed = replay_one(path, arguments, **executor, folder->path());
    if (!replayed) return tl::unexpected(replayed.error());
    replays.push_back(std::move(*replayed));
  }
  return replays;
}

}  // namespace

int exit_code_of(ReplayState state) {
  switch (state) {
    case ReplayState::there:
    case ReplayState::another:
      return exit_code::fault;
    case ReplayState::gone:
      return exit_code::nothing_wrong;
    case ReplayState::unknown:
      return exit_code::cannot_judge;
  }
  return exit_code::internal;
}

int run_replay(const ReplayArguments& arguments, Terminal& terminal) {
  set_up_logging(Verbosity::normal);
  watch_interrupts();
  const auto code = replay_all(arguments).and_then([&](const std::vector<Replayed>& replays) {
    std::vector<int> codes;
    codes.reserve(replays.size());
    for (const Replayed& replayed : replays) codes.push_back(exit_code_of(replayed.replay.state));
    const bool as_json = arguments.format == Format::json;
    return terminal.print(as_json ? replays_as_json(replays) : replays_as_text(replays, terminal.look().width))
        .map([&] { return worst_exit_code(codes); });
  });
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
