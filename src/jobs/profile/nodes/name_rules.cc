#include "profile/nodes/name_rules.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr std::size_t most_names = 64;

bool drop_prefix(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
  name.remove_prefix(prefix.size());
  return true;
}

bool drop_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix) || name.size() == suffix.size()) return false;
  name.remove_suffix(suffix.size());
  return true;
}

/// "mul_1_token_0" -> "mul_1".
bool drop_token(std::string_view& name) {
  const auto digits = name.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == name.size()) return false;
  std::string_view rest = name.substr(0, digits + 1);
  if (!drop_suffix(rest, "_token_")) return false;
  name = rest;
  return true;
}

void add(std::string_view name, std::vector<std::string>& names) {
  if (names.size() < most_names && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

void add_shorter(std::string_view name, std::vector<std::string>& names) {
  add(name, names);
  bool shorter = true;
  while (shorter) {
    shorter = drop_token(name);
    shorter = drop_prefix(name, "InsertedPrecisionFreeCast_") || shorter;
    add(name, names);
  }
  if (!drop_prefix(name, "_if_then_branch_") && !drop_prefix(name, "_if_else_branch_")) return;
  if (drop_prefix(name, "token_")) {
    const auto cut = name.find_first_not_of("0123456789");
    if (cut == 0 || cut == std::string_view::npos || name[cut] != '_') return;
    name.remove_prefix(cut + 1);
  }
  add(name, names);
}

}  // namespace

std::vector<std::string> names_before(std::string_view value, std::string_view node) {
  std::vector<std::string> names;
  add_shorter(value, names);
  drop_token(node);
  if (!drop_suffix(node, "_nchwc")) return names;
  add_shorter(node, names);
  if (drop_suffix(node, "_bn") || drop_suffix(node, "_mul")) add_shorter(node, names);
  return names;
}

}  // namespace culprit
