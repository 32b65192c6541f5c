#pragma once
// Which values of a network follow from which. Numbers are those of Network::values and Network::layers.

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "network/network.h"

namespace culprit {

/// By value: is it a constant, or does it follow from constants alone? What a layer without inputs makes does (Constant
/// in any form), but for layers that draw random numbers.
std::vector<bool> follows_from_constants(const Network& network);

/// Reshape, Flatten, Squeeze, Unsqueeze, Identity, Cast, Dropout, Transpose: what it gives has the numbers of what it
/// takes, perhaps elsewhere.
bool is_mover(const NetworkLayer& layer);
/// Reshape, Flatten, Squeeze, Unsqueeze, Identity, Cast, Dropout: and the numbers stay in their order.
bool keeps_order(const NetworkLayer& layer);

/// Reachability over what is computed: inputs of the network and what layers make of them. Constants, and what follows
/// from constants alone, are no part of it. The network must outlive it.
class Ways {
 public:
  explicit Ways(const Network& network);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] bool is_constant(int value) const { return constant_[static_cast<std::size_t>(value)]; }
  /// Is it an input, or does a layer make it of some? In the order of the network: inputs first.
  [[nodiscard]] const std::vector<int>& values() const { return values_; }
  /// Its place among `values`: numbers of values need not be in the order of the network. -1: it is a constant.
  [[nodiscard]] int place(int value) const { return places_[static_cast<std::size_t>(value)]; }
  /// The layer that makes it; -1: an input or a constant.
  [[nodiscard]] int maker(int value) const { return network_->values[static_cast<std::size_t>(value)].made_by; }
  /// Layers that use it.
  [[nodiscard]] const std::vector<int>& users(int value) const { return users_[static_cast<std::size_t>(value)]; }
  /// The computed values that its maker takes, each once, in the order of the maker's inputs. Empty of an input.
  [[nodiscard]] std::vector<int> before(int value) const;
  /// The computed values that its users make, each once.
  [[nodiscard]] std::vector<int> next(int value) const;
  /// Does `value` follow from `from`? No value follows from itself.
  [[nodiscard]] bool is_behind(int value, int from) const;
  /// The users of `value` that `other` follows from, or that make it.
  [[nodiscard]] std::vector<int> users_before(int value, int other) const;
  /// Values that are computed of the same values in the same way (sides/twins.h), itself among them.
  [[nodiscard]] std::vector<int> twins(int value) const;
  /// Does it follow from `from`, or from a twin of that?
  [[nodiscard]] bool is_behind_twin(int value, int from) const;
  /// All that follow from it, in order, and the number of layers between (1: a user makes it; the shortest way).
  /// No further than `most` layers. `value` itself has 0.
  [[nodiscard]] std::map<int, int> behind(int value, int most) const;
  /// Backwards from `value` until values in `stop`, which are not among them: all on the way, `value` too unless it is
  /// in `stop`. In order.
  [[nodiscard]] std::vector<int> back_to(int value, const std::set<int>& stop) const;
  /// The values of `stop` where `back_to` ends, in order.
  [[nodiscard]] std::vector<int> borders(int value, const std::set<int>& stop) const;

 private:
  void find_reached();
  [[nodiscard]] std::vector<int> in_order(std::vector<int> values) const;

  const Network* network_;
  std::vector<bool> constant_;
  std::vector<int> values_;
  std::vector<std::vector<int>> users_;
  std::vector<int> places_;                          // by value
  std::vector<std::vector<int>> twins_;              // by value; empty: it is the only one
  std::vector<std::vector<std::uint64_t>> reached_;  // by place: a bit for each place that it follows from
};

}  // namespace culprit
