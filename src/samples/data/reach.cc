#include "data/reach.h"

#include <algorithm>
#include <map>

#include "model/differing_nodes.h"
#include "model/free_integers.h"

namespace culprit {
namespace {

/// The name that an input of the other model has in this one; "" for none.
std::string own_name(const std::string& name, const Interface& own, const Interface& other) {
  const auto has = [&](const ValueInfo& input) { return input.name == name; };
  if (std::ranges::any_of(own.inputs, has)) return name;
  const auto at = std::ranges::find_if(other.inputs, has) - other.inputs.begin();
  return own.inputs.size() == other.inputs.size() ? own.inputs[static_cast<std::size_t>(at)].name : "";
}

template <class Value>
std::map<std::string, Value> renamed(const std::map<std::string, Value>& by_input, const Interface& own,
                                     const Interface& other) {
  std::map<std::string, Value> found;
  for (const auto& [name, value] : by_input) {
    if (const std::string its = own_name(name, own, other); !its.empty()) found.emplace(its, value);
  }
  return found;
}

Compared renamed(Compared compared, const Interface& own, const Interface& other) {
  compared.inputs = renamed(compared.inputs, own, other);
  compared.words = renamed(compared.words, own, other);
  std::set<std::string> indices;
  for (const std::string& name : compared.indices) indices.insert(own_name(name, own, other));
  compared.indices = std::move(indices);
  return compared;
}

}  // namespace

Reach reach_of(const Model& model, const Model* other) {
  Reach reach{compared_with(*model.proto), integers_that_steer_nothing(*model.proto),
              rows_that_stand_out(*model.proto)};
  if (other == nullptr || other->proto == nullptr) return reach;
  const DifferingNodes differing = differing_nodes(*model.proto, *other->proto);
  reach.is_of_two = true;
  reach.compared.add(asked_by(*model.proto, differing.a));
  reach.compared.add(sizes_behind(*model.proto, lengths_that_differ(*model.proto, *other->proto)));
  const auto its_lengths = lengths_that_differ(*other->proto, *model.proto);
  for (const Compared& its :
       {compared_with(*other->proto), asked_by(*other->proto, differing.b), sizes_behind(*other->proto, its_lengths)})
    reach.compared.add(renamed(its, model.interface, other->interface));
  for (auto& [input, rows] : rows_that_differ(*model.proto, *other->proto)) {
    auto& known = reach.rows[input];
    std::erase_if(known, [&rows = rows](std::int64_t row) { return std::ranges::find(rows, row) != rows.end(); });
    known.insert(known.begin(), rows.begin(), rows.end());  // what differs comes first
  }
  return reach;
}

}  // namespace culprit
