#pragma once
// Reads JSON of strangers, whatever stands in it: a field that is missing, or of another type, reads as empty. It works
// for every type of nlohmann::basic_json, which whoever includes this has already.

#include <string>

namespace culprit {

/// Null where it is no object, or has no such field.
template <class Json>
const Json& field_in(const Json& json, const char* key) {
  static const Json none;
  if (!json.is_object()) return none;
  const auto at = json.find(key);
  return at != json.end() ? *at : none;
}

/// "" where there is no such text.
template <class Json>
std::string text_in(const Json& json, const char* key) {
  const Json& field = field_in(json, key);
  return field.is_string() ? field.template get<std::string>() : "";
}

/// false where there is no such field.
template <class Json>
bool is_true_in(const Json& json, const char* key) {
  const Json& field = field_in(json, key);
  return field.is_boolean() && field.template get<bool>();
}

/// An empty list where there is no such list.
template <class Json>
const Json& list_in(const Json& json, const char* key) {
  static const Json none = Json::array();
  const Json& field = field_in(json, key);
  return field.is_array() ? field : none;
}

/// An empty object where there is no such object.
template <class Json>
const Json& object_in(const Json& json, const char* key) {
  static const Json none = Json::object();
  const Json& field = field_in(json, key);
  return field.is_object() ? field : none;
}

}  // namespace culprit
