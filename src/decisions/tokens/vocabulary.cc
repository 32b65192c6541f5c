#include "tokens/vocabulary.h"

namespace culprit {

std::uint32_t Vocabulary::place_of(std::string_view text) {
  texts_.add(text);
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

void Vocabulary::set(std::int64_t id, std::string_view token, std::string_view form) {
  Entry entry;
  entry.token = place_of(token);
  entry.form = form == token ? entry.token : place_of(form);
  entries_[id] = entry;
}

void Vocabulary::mark_special(const std::unordered_set<std::string>& forms) {
  if (forms.empty()) return;
  for (auto& [id, entry] : entries_) entry.is_special = forms.contains(std::string(texts_[entry.form]));
}

std::optional<std::string_view> Vocabulary::token(std::int64_t id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return {};
  return texts_[found->second.token];
}

std::optional<std::string_view> Vocabulary::form(std::int64_t id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return {};
  return texts_[found->second.form];
}

bool Vocabulary::is_special(std::int64_t id) const {
  const auto found = entries_.find(id);
  return found != entries_.end() && found->second.is_special;
}

}  // namespace culprit
