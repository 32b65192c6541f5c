#include "app/replay_repros.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "app/chosen_optimizer.h"
#include "base/memory.h"
#include "base/text.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/command/find_command.h"
#include "optimizer/optimizer.h"
#include "runtime/level.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// The limits that the repro asks for, within reason: it comes from anywhere.
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

/// A runtime's steps are known to the runtime alone, which ignores names that it does not have; a program's are named
/// to the program, whose call was made anew.
std::string missing_step(const Recipe& recipe) {
  if (is_of_program(recipe)) return "";
  if (runs_in_session(recipe))
    return level_named(recipe.level) ? "" : "there is no level '" + printable(recipe.level, 60) + "' of the runtime";
  const auto optimizer = make_onnx_optimizer();
  if (recipe.optimizer != optimizer->name())
    return "its passes are those of '" + recipe.optimizer + "', which this build does not have";
  const auto passes = optimizer->passes();
  for (const std::string& pass : recipe.passes)
    if (std::ranges::find(passes, pass, &PassInfo::name) == passes.end())
      return "this build has no pass '" + pass + "'";
  return "";
}

/// What is missing here, or "".
std::string missing_for(const Bundle& bundle) {
  const ReproFacts& facts = bundle.facts;
  if (std::string missing = missing_step(facts.recipe); !missing.empty()) return missing;
  if (!level_named(facts.level)) return "there is no level '" + facts.level + "' of the runtime";
  std::error_code error;
  for (const std::string& library : facts.custom_ops)
    if (!fs::is_regular_file(bundle.folder / fs::path(library).filename(), error))
      return "it needs the custom operators of '" + library + "'; put that library into the folder";
  return "";
}

/// A repro may come from anywhere, and what it says to run is not run: the program is the one that is known here under
/// its name, or that --optimizer describes.
Result<CommandSpecPtr> program_for(const Bundle& bundle, const std::string& wanted, const fs::path& folder) {
  const std::string& name = bundle.facts.recipe.optimizer;
  const auto presets = preset_names();
  if (wanted.empty() && std::ranges::find(presets, name) == presets.end())
    return fail(ErrorKind::bad_input,
                "its steps are those of '" + printable(name, 80) + "', a program that culprit does not know",
                "--optimizer FILE.yaml tells how it is called");
  auto spec = asked_command(wanted.empty() ? name : wanted, folder / "hosts");
  if (!spec) return tl::unexpected(spec.error());
  if (spec->name != name)
    return fail(ErrorKind::bad_input,
                "its steps are those of '" + printable(name, 80) + "', and --optimizer names '" + spec->name + "'");
  if (spec->lists_by_model())
    spec = with_listed_steps(std::move(*spec), fs::absolute(bundle.model.path), folder / "hosts");
  if (!spec) return tl::unexpected(spec.error());
  return std::make_shared<const CommandSpec>(std::move(*spec));
}

Replayed unknown(const fs::path& path, const std::string& why) {
  Replayed replayed{path, {}, {}};
  replayed.replay.message = why;
  return replayed;
}

Result<Replayed> replay_one(const fs::path& path, const ReplayRequest& request, Executor& executor,
                            const fs::path& folder) {
  auto bundle = read_bundle(path);
  if (!bundle) return unknown(path, bundle.error().text());
  Replayed replayed{path, bundle->facts, {}};
  CommandSpecPtr program;
  if (Recipe& recipe = bundle->facts.recipe; is_of_program(recipe)) {
    const auto found = program_for(*bundle, request.optimizer, folder);
    replayed.replay.message = found ? "" : found.error().text();
    if (!found) return replayed;
    program = *found;
    recipe.command = words_for(*program, recipe.passes);
    recipe.may_use_network = program->may_use_network;
  }
  if (replayed.replay.message = missing_for(*bundle); !replayed.replay.message.empty()) return replayed;
  auto work = TemporaryFolder::create(folder, "repro-");
  if (!work) return tl::unexpected(work.error());
  const Limits limits = limits_for(bundle->facts, request.cpu_seconds);
  auto replay = culprit::replay(*bundle, request.tries, limits, {executor, work->path(), program});
  const bool ends = !replay && replay.error().kind != ErrorKind::bad_input;
  if (ends) return tl::unexpected(replay.error());
  if (!replay) return unknown(path, replay.error().text());
  replayed.replay = std::move(*replay);
  return replayed;
}

/// Whoever started us says where temporary files go.
Result<TemporaryFolder> temporary_folder() {
  constexpr const char* hint = "set TMPDIR to a folder that is there and can be written";
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) {
    const char* named = std::getenv("TMPDIR");
    return fail(ErrorKind::usage,
                fmt::format("TMPDIR {}: no folder for temporary files: {}",
                            printable(named == nullptr ? place.string() : named), error.message()),
                hint);
  }
  auto folder = TemporaryFolder::create(place, "culprit-replay-");
  if (!folder) return fail(ErrorKind::usage, folder.error().message, hint);
  return folder;
}

}  // namespace

Result<std::vector<Replayed>> replay_repros(const ReplayRequest& request, const Caller& caller) {
  for (const fs::path& path : request.repros)
    if (const auto there = repro_folder(path); !there) return tl::unexpected(there.error());
  const auto library = caller.workers.find_runtime(request.runtime);
  if (!library) return tl::unexpected(library.error());
  auto folder = temporary_folder();
  if (!folder) return tl::unexpected(folder.error());
  auto executor = caller.workers.make_executor(*library, request.jobs, folder->path(), /*others=*/false);
  if (!executor) return tl::unexpected(executor.error());
  std::vector<Replayed> replays;
  for (const fs::path& path : request.repros) {
    auto replayed = replay_one(path, request, **executor, folder->path());
    if (!replayed) return tl::unexpected(replayed.error());
    replays.push_back(std::move(*replayed));
  }
  return replays;
}

}  // namespace culprit
