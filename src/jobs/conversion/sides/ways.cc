#include "conversion/sides/ways.h"

#include <algorithm>
#include <array>
#include <deque>

#include "base/as_index.h"
#include "conversion/sides/twins.h"

namespace culprit {
namespace {

constexpr std::array<std::string_view, 8> movers = {"Reshape",  "Flatten", "Squeeze", "Unsqueeze",
                                                    "Identity", "Cast",    "Dropout", "Transpose"};

/// They draw, or a body of theirs takes values from around that no list of inputs names.
constexpr std::array<std::string_view, 9> never_constant = {
    "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli", "If", "Loop",
    "Scan"};

template <std::size_t count>
bool is_one(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::size_t bits = 64;

}  // namespace

std::vector<bool> follows_from_constants(const Network& network) {
  std::vector<bool> follows(network.values.size(), false);
  for (std::size_t value = 0; value < follows.size(); ++value)
    follows[value] = network.values[value].constant.has_value();
  for (const NetworkLayer& layer : network.layers) {
    if (is_one(never_constant, layer.type)) continue;
    const bool all =
        std::ranges::all_of(layer.inputs, [&](int input) { return input < 0 || follows[as_index(input)]; });
    for (const int output : layer.outputs)
      if (output >= 0) follows[as_index(output)] = all;
  }
  for (const int input : network.inputs) follows[as_index(input)] = false;
  return follows;
}

bool is_mover(const NetworkLayer& layer) { return is_one(movers, layer.type); }

bool keeps_order(const NetworkLayer& layer) { return is_mover(layer) && layer.type != "Transpose"; }

Ways::Ways(const Network& network)
    : network_(&network),
      constant_(follows_from_constants(network)),
      users_(users_of(network)),
      places_(network.values.size(), -1),
      twins_(twins_of(network)) {
  const auto add = [&](int value) {
    if (value < 0 || is_constant(value) || places_[as_index(value)] >= 0) return;
    places_[as_index(value)] = static_cast<int>(values_.size());
    values_.push_back(value);
  };
  for (const int input : network.inputs) add(input);
  for (const NetworkLayer& layer : network.layers)
    for (const int output : layer.outputs) add(output);
  find_reached();
}

void Ways::find_reached() {
  const std::size_t words = (values_.size() + bits - 1) / bits;
  reached_.assign(values_.size(), std::vector<std::uint64_t>(words, 0));
  for (std::size_t at = 0; at < values_.size(); ++at) {
    for (const int input : before(values_[at])) {
      const auto from = as_index(place(input));
      for (std::size_t word = 0; word < words; ++word) reached_[at][word] |= reached_[from][word];
      reached_[at][from / bits] |= std::uint64_t{1} << (from % bits);
    }
  }
}

std::vector<int> Ways::before(int value) const {
  std::vector<int> found;
  if (maker(value) < 0 || is_constant(value)) return found;
  for (const int input : network_->layers[as_index(maker(value))].inputs)
    if (input >= 0 && place(input) >= 0 && std::ranges::find(found, input) == found.end()) found.push_back(input);
  return found;
}

std::vector<int> Ways::next(int value) const {
  std::vector<int> found;
  for (const int user : users(value))
    for (const int output : network_->layers[as_index(user)].outputs)
      if (output >= 0 && place(output) >= 0 && std::ranges::find(found, output) == found.end()) found.push_back(output);
  return found;
}

bool Ways::is_behind(int value, int from) const {
  if (place(value) < 0 || place(from) < 0) return false;
  const auto at = as_index(place(from));
  return ((reached_[as_index(place(value))][at / bits] >> (at % bits)) & 1U) != 0;
}

std::vector<int> Ways::users_before(int value, int other) const {
  std::vector<int> found;
  for (const int user : users(value))
    if (std::ranges::any_of(network_->layers[static_cast<std::size_t>(user)].outputs,
                            [&](int made) { return made >= 0 && (made == other || is_behind(other, made)); }))
      found.push_back(user);
  return found;
}

std::vector<int> Ways::twins(int value) const {
  const auto& all = twins_[as_index(value)];
  return all.empty() ? std::vector<int>{value} : all;
}

bool Ways::is_behind_twin(int value, int from) const {
  if (is_behind(value, from)) return true;
  return std::ranges::any_of(twins_[as_index(from)], [&](int twin) { return is_behind(value, twin); });
}

std::map<int, int> Ways::behind(int value, int most) const {
  std::map<int, int> depths{{value, 0}};
  std::deque<int> open{value};
  while (!open.empty()) {
    const int from = open.front();
    open.pop_front();
    const int depth = depths.at(from) + 1;
    if (depth > most) continue;
    for (const int to : next(from))
      if (depths.emplace(to, depth).second) open.push_back(to);
  }
  return depths;
}

std::vector<int> Ways::in_order(std::vector<int> values) const {
  std::ranges::sort(values, {}, [&](int value) { return place(value); });
  return values;
}

std::vector<int> Ways::back_to(int value, const std::set<int>& stop) const {
  std::set<int> seen;
  std::vector<int> open{value};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (stop.contains(at) || !seen.insert(at).second) continue;
    const auto inputs = before(at);
    open.insert(open.end(), inputs.begin(), inputs.end());
  }
  return in_order({seen.begin(), seen.end()});
}

std::vector<int> Ways::borders(int value, const std::set<int>& stop) const {
  std::set<int> found;
  if (stop.contains(value)) return {value};
  for (const int at : back_to(value, stop))
    for (const int input : before(at))
      if (stop.contains(input)) found.insert(input);
  return in_order({found.begin(), found.end()});
}

}  // namespace culprit
