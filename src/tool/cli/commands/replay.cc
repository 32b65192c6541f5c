#include "cli/commands/replay.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/chosen_optimizer.h"
#include "app/machine_facts.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "process/interrupt.h"
#include "report/layout.h"
#include "search/flaky.h"

namespace culprit {

void add_replay(CommandParser& parser, ReplayFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "replay",
       .heading = heading_report,
       .about = "Run the faults that a check kept again: still there, or gone?",
       .examples = {"culprit replay run/repro/F1", "culprit replay run/repro/F1 run/repro/F2 --runtime 1.22.1"},
       .exit_codes = "Exit codes: 0 all are gone, 1 a fault is still there, 2 wrong usage, 3 one "
                     "could not be tried, 4 internal error, 130 interrupted."});
  command.words("REPRO", flags.repros, type_folder, "Folders that culprit check wrote below repro/").required();
  command.value("--tries", flags.tries, "N");
  command.value("--runtime", flags.runtime, "PATH|VERSION");
  command.value("--optimizer", flags.optimizer, "NAME@VERSION|FILE.yaml").with_default("the one of the repro");
  command.value("--jobs", flags.jobs, "N");
  command.value("--timeout", flags.timeout, "TIME").with_default("as the repro says");
  command.value("--format", flags.format, "text|json");
}

Result<ReplayArguments> resolve(const ReplayFlags& flags) {
  ReplayArguments arguments;
  arguments.request.runtime = flags.runtime;
  const auto optimizer =
      flags.optimizer.empty() ? Result<std::string>("") : optimizer_named("--optimizer", flags.optimizer);
  if (!optimizer) return tl::unexpected(optimizer.error());
  arguments.request.optimizer = *optimizer;
  for (const std::string& repro : flags.repros) {
    if (repro.empty()) return fail(ErrorKind::usage, "the name of a repro is empty", "give the path of a folder");
    arguments.request.repros.emplace_back(repro);
  }
  const auto tries = whole_number("--tries", flags.tries.empty() ? "3" : flags.tries, 1, 1000);
  if (!tries) return tl::unexpected(tries.error());
  arguments.request.tries = static_cast<int>(*tries);
  const auto jobs = whole_number("--jobs", flags.jobs.empty() ? "0" : flags.jobs, flags.jobs.empty() ? 0 : 1, 1024);
  if (!jobs) return tl::unexpected(jobs.error());
  arguments.request.jobs = static_cast<int>(*jobs);
  if (!flags.timeout.empty()) {
    const auto seconds = duration("--timeout", flags.timeout);
    if (!seconds) return tl::unexpected(seconds.error());
    arguments.request.cpu_seconds = *seconds;
  }
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  arguments.format = *format == "json" ? Format::json : Format::text;
  return arguments;
}

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
  const auto workers = make_process_workers(own_program());
  DeafListener nobody;
  const auto replays = replay_repros(arguments.request, {*workers, nobody});
  const auto code = replays.and_then([&](const std::vector<Replayed>& all) {
    std::vector<int> codes;
    codes.reserve(all.size());
    for (const Replayed& replayed : all) codes.push_back(exit_code_of(replayed.replay.state));
    const bool as_json = arguments.format == Format::json;
    return terminal.print(as_json ? replays_as_json(all) : replays_as_text(all, terminal.look().width)).map([&] {
      return worst_exit_code(codes);
    });
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
  return fmt::format("{} by {}", reader_word(facts.verdict), join(facts.culprits, " + "));
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
