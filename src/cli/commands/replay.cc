#include "cli/commands/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/chosen_optimizer.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "cli/machine_facts.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/command/find_command.h"
#include "optimizer/optimizer.h"
#include "process/interrupt.h"
#include "report/layout.h"
#include "runtime/find_library.h"
#include "runtime/level.h"
#include "search/flaky.h"
#include "worker/pool.h"

namespace culprit {

void add_replay(CommandParser& parser, ReplayFlags& flags) {
  const Flags command = parser.add_command("replay", "Run the faults that a check kept again: still there, or gone?",
                                           "culprit replay run/repro/F1");
  command.words("REPRO", flags.repros, type_folder, "Folders that culprit check wrote below repro/").required();
  command.value("--tries", flags.tries, "N", "How often each fault is tried, from the import on (default 3)");
  command.value("--runtime", flags.runtime, "PATH|VERSION",
                "ONNX Runtime library, or a version that scripts/setup brought");
  command.value("--optimizer", flags.optimizer, "NAME@VERSION|FILE.yaml",
                "The program whose fault it is: in another version, or one of your own, which is run");
  command.value("--jobs", flags.jobs, "N", "Processes at once (default: the number of cores)");
  command.value("--timeout", flags.timeout, "TIME",
                "Time for one attempt: 2m, 5 for 5 seconds (default: as the repro says)");
  command.value("--format", flags.format, "text|json", "What is printed: a text to read (default), or JSON");
}

Result<ReplayArguments> resolve(const ReplayFlags& flags) {
  ReplayArguments arguments;
  arguments.runtime = flags.runtime;
  const auto optimizer =
      flags.optimizer.empty() ? Result<std::string>("") : optimizer_named("--optimizer", flags.optimizer);
  if (!optimizer) return tl::unexpected(optimizer.error());
  arguments.optimizer = *optimizer;
  for (const std::string& repro : flags.repros) {
    if (repro.empty()) return fail(ErrorKind::usage, "the name of a repro is empty", "give the path of a folder");
    arguments.repros.emplace_back(repro);
  }
  const auto tries = whole_number("--tries", flags.tries.empty() ? "3" : flags.tries, 1, 1000);
  if (!tries) return tl::unexpected(tries.error());
  arguments.tries = static_cast<int>(*tries);
  const auto jobs = whole_number("--jobs", flags.jobs.empty() ? "0" : flags.jobs, flags.jobs.empty() ? 0 : 1, 1024);
  if (!jobs) return tl::unexpected(jobs.error());
  arguments.jobs = static_cast<int>(*jobs);
  if (!flags.timeout.empty()) {
    const auto seconds = duration("--timeout", flags.timeout);
    if (!seconds) return tl::unexpected(seconds.error());
    arguments.cpu_seconds = *seconds;
  }
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  arguments.format = *format == "json" ? Format::json : Format::text;
  return arguments;
}

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

Result<Replayed> replay_one(const fs::path& path, const ReplayArguments& arguments, Executor& executor,
                            const fs::path& folder) {
  auto bundle = read_bundle(path);
  if (!bundle) return unknown(path, bundle.error().text());
  Replayed replayed{path, bundle->facts, {}};
  CommandSpecPtr program;
  if (Recipe& recipe = bundle->facts.recipe; is_of_program(recipe)) {
    const auto found = program_for(*bundle, arguments.optimizer, folder);
    replayed.replay.message = found ? "" : found.error().text();
    if (!found) return replayed;
    program = *found;
    recipe.command = words_for(*program, recipe.passes);
    recipe.may_use_network = program->may_use_network;
  }
  if (replayed.replay.message = missing_for(*bundle); !replayed.replay.message.empty()) return replayed;
  auto work = TemporaryFolder::create(folder, "repro-");
  if (!work) return tl::unexpected(work.error());
  const Limits limits = limits_for(bundle->facts, arguments.cpu_seconds);
  auto replay = culprit::replay(*bundle, arguments.tries, limits, {executor, work->path(), program});
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

Result<std::vector<Replayed>> replay_all(const ReplayArguments& arguments) {
  const auto library = find_onnxruntime(arguments.runtime);
  if (!library) return tl::unexpected(library.error());
  auto folder = temporary_folder();
  if (!folder) return tl::unexpected(folder.error());
  auto executor = make_pool({own_program(), {*library}, arguments.jobs, folder->path()});
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

// --- what is printed ---------------------------------------------------------------------------------------------

namespace {

std::string_view words_of(ReplayState state) {
  switch (state) {
    case ReplayState::there:
      return "still there";
    case ReplayState::another:
      return "another failure now";
    case ReplayState::gone:
      return "gone";
    case ReplayState::unknown:
      return "cannot judge";
  }
  return "";
}

/// Was it seen in "2/3" of its confirmations, not in all?
bool was_flaky(const ReproFacts& facts) {
  const auto slash = facts.confirmed.find('/');
  return slash != std::string::npos && facts.confirmed.substr(0, slash) != facts.confirmed.substr(slash + 1);
}

/// "still there (3/3)"; a fault that shows now and then is said to, with how often that may be.
std::string outcome_of(const Replay& replay, const ReproFacts& facts) {
  std::string text(words_of(replay.state));
  if (replay.state == ReplayState::unknown) return text;
  text += fmt::format(" ({}/{})", replay.shown, replay.tries);
  const auto shown = static_cast<std::size_t>(replay.shown), tries = static_cast<std::size_t>(replay.tries);
  if (replay.state != ReplayState::gone)
    return shown < tries ? text + ", flaky: it shows " + share_text(shown, tries) : text;
  return was_flaky(facts) ? text + ", but it was flaky: it may still show " + share_text(0, tries) : text;
}

std::string fault_of(const ReproFacts& facts) {
  if (facts.culprits.empty()) return "";
  return fmt::format("{} by {}", name_of(facts.verdict), join(facts.culprits, " + "));
}

std::string text_of(const Replayed& replayed, int width) {
  const std::string path = cut_path(printable(replayed.path.string()), std::max(width - 36, 12));
  std::string text = hanging("", path + ": " + outcome_of(replayed.replay, replayed.facts), width);
  const std::string fault = fault_of(replayed.facts);
  if (!fault.empty()) text += hanging("  was: ", printable(fault), width);
  if (!replayed.replay.message.empty()) text += hanging("  now: ", printable(replayed.replay.message), width);
  return text;
}

}  // namespace

std::string replays_as_text(const std::vector<Replayed>& replays, int width) {
  std::string text;
  std::map<ReplayState, int> counts;
  for (const Replayed& replayed : replays) {
    text += text_of(replayed, width);
    ++counts[replayed.replay.state];
  }
  if (replays.size() < 2) return text;
  std::string closing = fmt::format("{} repros", replays.size()), separator = ": ";
  for (const auto& [state, count] : counts) {
    closing += fmt::format("{}{} {}", separator, count, words_of(state));
    separator = ", ";
  }
  return text + "\n" + hanging("", closing, width);
}

std::string replays_as_json(const std::vector<Replayed>& replays) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Replayed& replayed : replays) {
    const Replay& replay = replayed.replay;
    all.push_back({{"repro", replayed.path.string()},
                   {"fault", replayed.facts.fault},
                   {"culprits", replayed.facts.culprits},
                   {"state", name_of(replay.state)},
                   {"shown", replay.shown},
                   {"tries", replay.tries},
                   {"verdict", name_of(replay.verdict)},
                   {"signature", replay.signature},
                   {"expected_signature", replayed.facts.signature},
                   {"message", replay.message},
                   {"onnxruntime", replay.runtime}});
  }
  const Json root = {{"schema", "culprit.replay/1"}, {"replays", all}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
