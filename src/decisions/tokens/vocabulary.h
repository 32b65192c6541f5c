#pragma once
// Which token each id stands for.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/name_table.h"

namespace culprit {

class Vocabulary {
 public:
  /// `form` is what decoders get, which may be another text than how the token is spelled. An id that is there already
  /// stands for the new token from now on.
  void set(std::int64_t id, std::string_view token, std::string_view form);
  /// All ids whose form is one of these texts are special.
  void mark_special(const std::unordered_set<std::string>& forms);

  [[nodiscard]] bool has(std::int64_t id) const { return entries_.contains(id); }
  [[nodiscard]] std::optional<std::string_view> token(std::int64_t id) const;
  [[nodiscard]] std::optional<std::string_view> form(std::int64_t id) const;
  [[nodiscard]] bool is_special(std::int64_t id) const;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }

 private:
  struct Entry {
    std::uint32_t token = 0, form = 0;  // places in texts_
    bool is_special = false;
  };
  std::uint32_t place_of(std::string_view text);

  NameTable texts_;
  std::unordered_map<std::int64_t, Entry> entries_;  // ids of strangers may be as large as they like
};

}  // namespace culprit
