#include "worker/predicate_scan.h"

#include <algorithm>

#include "worker/wire.h"

namespace culprit {
namespace {

constexpr std::size_t places_a_pass = 8;

class Scanning {
 public:
  Scanning(OptimizerSession& session, const std::vector<std::string>& passes, std::size_t most_places,
           Supervisor& supervisor)
      : session_(session), passes_(passes), most_places_(most_places), supervisor_(supervisor) {}

  Scan run() {
    while (next_ < passes_.size() && !supervisor_.parent_gone()) {
      auto child = supervisor_.fork([&](Channel& channel) { answer(channel); });
      if (!child) {  // no more processes: then nothing is known of the rest
        result_.matching.insert(passes_.begin() + static_cast<std::ptrdiff_t>(next_), passes_.end());
        break;
      }
      bool over = false;
      while (!over && next_ < passes_.size() && !supervisor_.parent_gone()) {
        supervisor_.wait({&*child});
        over = child->over();
        over |= !take_answers(child->channel());
      }
      if (next_ < passes_.size()) result_.matching.insert(passes_[next_++]);  // the one it ended on
    }
    return std::move(result_);
  }

 private:
  /// In the fork.
  void answer(Channel& channel) {
    for (std::size_t i = next_; i < passes_.size(); ++i) {
      wire::FromFork message;
      auto& scanned = *message.mutable_scanned();
      scanned.set_may_match(session_.may_match(passes_[i]));
      if (scanned.may_match() && most_places_ > 0) {
        wire::encode(session_.places(passes_[i], places_a_pass), *scanned.mutable_places());
      }
      if (!channel.send_now(message.SerializeAsString())) return;
    }
  }

  /// Takes the answers that have come, the first of them for pass number `next_`. False: one made no sense.
  bool take_answers(Channel& channel) {
    while (const auto bytes = channel.next()) {
      const auto message = wire::parse<wire::FromFork>(*bytes);
      if (!message || !message->has_scanned() || next_ >= passes_.size()) return false;
      if (message->scanned().may_match()) result_.matching.insert(passes_[next_]);
      for (Place& place : wire::decode(message->scanned().places(), most_places_)) {
        if (result_.places.size() < most_places_) result_.places.push_back(std::move(place));
      }
      ++next_;
    }
    return true;
  }

  OptimizerSession& session_;
  const std::vector<std::string>& passes_;
  std::size_t most_places_;
  Supervisor& supervisor_;
  Scan result_;
  std::size_t next_ = 0;
};

}  // namespace

Scan scan(OptimizerSession& session, const std::vector<std::string>& passes, std::size_t most_places,
          Supervisor& supervisor) {
  return Scanning(session, passes, most_places, supervisor).run();
}

}  // namespace culprit
