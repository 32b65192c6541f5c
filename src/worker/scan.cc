#include "worker/scan.h"

namespace culprit {
namespace {

void answer(OptimizerSession& session, const std::vector<std::string>& passes, std::size_t first, Channel& channel) {
  for (std::size_t i = first; i < passes.size(); ++i) {
    wire::FromFork message;
    message.mutable_scanned()->set_may_match(session.may_match(passes[i]));
    if (!channel.send_now(message.SerializeAsString())) return;
  }
}

/// Takes the answers that have come, the first of them for pass number `next`. False: one made no sense.
bool take_answers(Channel& channel, const std::vector<std::string>& passes, std::size_t& next,
                  std::set<std::string>& matching) {
  while (const auto bytes = channel.next()) {
    const auto message = wire::parse<wire::FromFork>(*bytes);
    if (!message || !message->has_scanned() || next >= passes.size()) return false;
    if (message->scanned().may_match()) matching.insert(passes[next]);
    ++next;
  }
  return true;
}

}  // namespace

std::set<std::string> scan(OptimizerSession& session, const std::vector<std::string>& passes, Supervisor& supervisor) {
  std::set<std::string> matching;
  for (std::size_t next = 0; next < passes.size() && !supervisor.parent_gone();) {
    auto child = supervisor.fork([&](Channel& channel) { answer(session, passes, next, channel); });
    if (!child) {  // no more processes: then nothing is known of the rest
      matching.insert(passes.begin() + static_cast<std::ptrdiff_t>(next), passes.end());
      break;
    }
    bool over = false;
    while (!over && next < passes.size() && !supervisor.parent_gone()) {
      supervisor.wait({&*child});
      over = child->over();
      over |= !take_answers(child->channel(), passes, next, matching);
    }
    if (next < passes.size()) matching.insert(passes[next++]);  // the one it ended on
  }
  return matching;
}

}  // namespace culprit
