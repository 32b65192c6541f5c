#pragma once
// What the JSON of reports and comparisons have in common. Seen in this room only.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/data_facts.h"
#include "record/environment.h"
#include "record/measurement.h"
#include "record/model_facts.h"
#include "record/warning.h"
#include "record/witnesses.h"

namespace culprit {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinities, and a bare token would break every strict reader.
Json number(double value);
// What need not exist (an id, a file, a hash) is null where it does not; texts are "" instead.
Json or_null(const std::string& text);
Json warnings_of(const std::vector<Warning>& warnings);
Json measurement_of(const Measurement& m);
Json measurements_of(const Measurements& measurements);
Json json_of(const ModelFacts& facts);
Json data_of(const DataFacts& data);
Json environment_of(const Environment& e);
Json tested_in(const Environment& environment);  // with the optimizer under test
Json json_of(const NodeRef& node);               // null where there is none
Json nodes_of(const std::vector<NodeRef>& nodes);

template <class Value>
Json object_of(const std::map<std::string, Value>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}

template <class Item, class ToJson>
Json array_of(const std::vector<Item>& items, ToJson to_json) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace culprit
