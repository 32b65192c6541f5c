// What `culprit replay` prints.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/replay.h"
#include "report/layout.h"

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

/// "still there (3/3)"; a fault that shows now and then is said to.
std::string outcome_of(const Replay& replay) {
  std::string text(words_of(replay.state));
  if (replay.state == ReplayState::unknown) return text;
  text += fmt::format(" ({}/{})", replay.shown, replay.tries);
  const bool is_flaky = replay.state != ReplayState::gone && replay.shown < replay.tries;
  return is_flaky ? text + ", flaky" : text;
}

std::string fault_of(const ReproFacts& facts) {
  if (facts.culprits.empty()) return "";
  return fmt::format("{} by {}", name_of(facts.verdict), join(facts.culprits, " + "));
}

std::string text_of(const Replayed& replayed, int width) {
  const std::string path = cut_path(printable(replayed.path.string()), std::max(width - 36, 12));
  std::string text = hanging("", path + ": " + outcome_of(replayed.replay), width);
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
