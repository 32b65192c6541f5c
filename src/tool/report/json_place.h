#pragma once
// A place in JSON that somebody else may have written: what stands there is asked for by what it must be, and where it
// is something else the message names the place. Seen in this room only.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// Not the one that keeps the order of keys: that one takes time that grows with their square.
using ReadJson = nlohmann::json;

/// What is wrong, and where: "its 'entries[2].seconds.median' is text ("fast"), and must be a number". Whoever reads a
/// file catches it.
struct WrongJson : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class JsonPlace {
 public:
  /// Keeps a reference.
  explicit JsonPlace(const ReadJson& json) : JsonPlace(&json, "") {}

  [[nodiscard]] JsonPlace at(const std::string& key) const;  ///< which must be there
  [[nodiscard]] bool has(const std::string& key) const;      ///< an object, and the key is in it
  [[nodiscard]] bool is_null() const { return json_->is_null(); }

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string text_or_null() const;  ///< "" for null
  [[nodiscard]] double number() const;             ///< "nan", "inf" and "-inf" are numbers
  [[nodiscard]] std::int64_t count() const;        ///< a whole number, not negative
  [[nodiscard]] bool flag() const;
  [[nodiscard]] std::vector<std::string> texts() const;

  /// Each with what it is called: the index, or the key.
  template <class Visit>
  void each_item(Visit visit) const;
  template <class Visit>
  void each_field(Visit visit) const;

  /// Nothing for null.
  template <class Read>
  auto unless_null(Read read) const {
    return is_null() ? std::nullopt : std::optional(read(*this));
  }
  template <class Read>
  auto list(Read read) const {
    std::vector<decltype(read(*this))> items;
    each_item([&](const JsonPlace& item) { items.push_back(read(item)); });
    return items;
  }

  /// Throws WrongJson: "its 'entries[2].verdict' " and then `what`.
  [[noreturn]] void wrong(const std::string& what) const;

 private:
  JsonPlace(const ReadJson* json, std::string path) : json_(json), path_(std::move(path)) {}
  /// Throws: it is something else.
  [[noreturn]] void must_be(const char* wanted) const;

  const ReadJson* json_;
  std::string path_;  ///< "entries[2].verdict"; "" at the root
};

template <class Visit>
void JsonPlace::each_item(Visit visit) const {
  if (!json_->is_array()) must_be("a list");
  std::size_t index = 0;
  for (const ReadJson& item : *json_) visit(JsonPlace(&item, path_ + "[" + std::to_string(index++) + "]"));
}

template <class Visit>
void JsonPlace::each_field(Visit visit) const {
  if (!json_->is_object()) must_be("an object");
  for (const auto& [key, value] : json_->items()) visit(key, at(key));
}

}  // namespace culprit
