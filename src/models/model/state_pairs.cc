#include "model/state_pairs.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::string_view cache_word = "cache";

/// "past_key_values.0.key" -> past key values 0 key; "stateN" -> state n.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  enum class Kind { none, small, capital, digit } before = Kind::none;
  for (const char c : name.substr(0, name.find(':'))) {
    const auto byte = static_cast<unsigned char>(c);
    const Kind kind = std::isdigit(byte) != 0   ? Kind::digit
                      : std::isupper(byte) != 0 ? Kind::capital
                      : std::isalpha(byte) != 0 ? Kind::small
                                                : Kind::none;
    const bool goes_on = kind == before || (before == Kind::capital && kind == Kind::small);
    if (kind != Kind::none && (words.empty() || !goes_on)) words.emplace_back();
    if (kind != Kind::none) words.back() += static_cast<char>(std::tolower(byte));
    before = kind;
  }
  return words;
}

bool starts_with(const std::vector<std::string>& words, std::initializer_list<const char*> beginning) {
  return words.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), words.begin());
}

/// What is the same in both names of a pair; "" where nothing is left.
std::string key_of_state(const std::string& name) {
  std::vector<std::string> words = words_of(name);
  if (words.size() == 1 && is_one_of(words[0], {"hn", "cn", "hx", "cx", "hy", "cy"})) return words[0].substr(0, 1);
  if (words.size() == 2 && (words[0] == "h" || words[0] == "c") && (words[1] == "0" || words[1] == "n"))
    return words[0];
  for (const char* beginning : {"past", "present"}) {
    if (!starts_with(words, {beginning})) continue;
    words.front() = cache_word;
    if (words.size() > 2 && words[1] == "key" && words[2] == "values")
      words.erase(words.begin() + 1, words.begin() + 3);
  }
  std::erase_if(words, [](const std::string& word) {
    return is_one_of(word, {"in", "out", "input", "output", "n", "new", "next", "prev", "previous", "old", "init",
                            "initial", "updated", "final"});
  });
  return join(words, " ");
}

/// Sizes of a cache grow; all others are the same where both are known.
bool may_be_fed_back(const ValueInfo& input, const ValueInfo& output) {
  if (input.kind != ValueInfo::Kind::tensor || output.kind != ValueInfo::Kind::tensor || input.dtype != output.dtype)
    return false;
  if (!input.has_shape || !output.has_shape) return true;
  return std::ranges::equal(input.dims, output.dims,
                            [](const Dim& a, const Dim& b) { return !a.value || !b.value || *a.value == *b.value; });
}

}  // namespace

std::vector<StatePair> state_pairs(const Interface& interface) {
  std::map<std::string, std::vector<const ValueInfo*>> inputs, outputs;
  for (const ValueInfo& input : interface.inputs) inputs[key_of_state(input.name)].push_back(&input);
  for (const ValueInfo& output : interface.outputs) outputs[key_of_state(output.name)].push_back(&output);
  std::vector<StatePair> pairs;
  for (const ValueInfo& input : interface.inputs) {
    const std::string key = key_of_state(input.name);
    const auto found = outputs.find(key);
    if (key.empty() || found == outputs.end() || found->second.size() != 1 || inputs[key].size() != 1) continue;
    if (may_be_fed_back(input, *found->second.front())) pairs.push_back({input.name, found->second.front()->name});
  }
  return pairs;
}

}  // namespace culprit
