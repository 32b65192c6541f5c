#pragma once
// Reads JSON that a case wrote, whatever stands in it: a field that is missing, or of another type, reads as empty.
// Private to this room.

#include <nlohmann/json.hpp>
#include <string>

namespace culprit {

/// "" where it is no object, or has no such text.
template <class Json>
std::string text_in(const Json& json, const char* key) {
  if (!json.is_object()) return "";
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->template get<std::string>() : "";
}

/// An empty list where it is no object, or has no such list.
template <class Json>
const Json& list_in(const Json& json, const char* key) {
  static const Json none = Json::array();
  if (!json.is_object()) return none;
  const auto at = json.find(key);
  return at != json.end() && at->is_array() ? *at : none;
}

/// An empty object where it is no object, or has no such object.
template <class Json>
const Json& object_in(const Json& json, const char* key) {
  static const Json none = Json::object();
  if (!json.is_object()) return none;
  const auto at = json.find(key);
  return at != json.end() && at->is_object() ? *at : none;
}

}  // namespace culprit
