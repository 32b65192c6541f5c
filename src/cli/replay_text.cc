// What `culprit replay` prints.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/replay.h"
#include "report/layout.h"
#include "search/flaky.h"

namespace culprit {
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
