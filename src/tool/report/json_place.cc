#include "report/json_place.h"

#include <cmath>
#include <limits>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t longest_shown = 60;

/// "text ("fast")", "a list", "-3"
std::string found(const ReadJson& json) {
  if (json.is_string()) return "the text \"" + printable(json.get_ref<const std::string&>(), longest_shown) + "\"";
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return json.dump();  // a number, a truth value, null
}

}  // namespace

void JsonPlace::wrong(const std::string& what) const {
  throw WrongJson((path_.empty() ? "it " : "its '" + printable(path_, 200) + "' ") + what);
}

void JsonPlace::must_be(const char* wanted) const { wrong("is " + found(*json_) + ", and must be " + wanted); }

bool JsonPlace::has(const std::string& key) const { return json_->is_object() && json_->contains(key); }

JsonPlace JsonPlace::at(const std::string& key) const {
  if (!json_->is_object()) must_be("an object");
  const auto field = json_->find(key);
  if (field == json_->end()) wrong("has no '" + key + "'");
  return {&*field, path_.empty() ? key : path_ + "." + key};
}

std::string JsonPlace::text() const {
  if (!json_->is_string()) must_be("a text");
  return json_->get<std::string>();
}

std::string JsonPlace::text_or_null() const { return is_null() ? "" : text(); }

double JsonPlace::number() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (*json_ == "nan") return std::nan("");
  if (*json_ == "inf") return infinity;
  if (*json_ == "-inf") return -infinity;
  if (!json_->is_number()) must_be("a number");
  return json_->get<double>();
}

std::int64_t JsonPlace::count() const {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const bool is_whole = json_->is_number_integer();  // 1.5 and 1e300 are none
  const bool fits = !json_->is_number_unsigned() || json_->get<std::uint64_t>() <= std::uint64_t{most};
  if (!is_whole || !fits || json_->get<std::int64_t>() < 0) must_be("a whole number that is not negative");
  return json_->get<std::int64_t>();
}

bool JsonPlace::flag() const {
  if (!json_->is_boolean()) must_be("true or false");
  return json_->get<bool>();
}

std::vector<std::string> JsonPlace::texts() const {
  return list([](const JsonPlace& item) { return item.text(); });
}

}  // namespace culprit
