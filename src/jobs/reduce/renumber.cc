#include "reduce/renumber.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "model/graph_walk.h"
#include "model/rename_values.h"

namespace culprit {
namespace {

/// Up to nine digits, without a zero before them.
std::optional<std::int64_t> number_in(const std::string& name) {
  constexpr std::size_t longest = 9;
  if (name.empty() || name.size() > longest || name.front() == '0') return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc() && end == name.data() + name.size() && number > 0;
  return is_number ? std::optional(number) : std::nullopt;
}

template <class Visit>
void for_each_value(const onnx::GraphProto& graph, const Visit& visit) {
  std::set<std::string> inputs;
  for (const auto& input : graph.input()) {
    inputs.insert(input.name());
    visit(input.name());
  }
  for (const auto& tensor : graph.initializer()) {
    if (!inputs.contains(tensor.name())) visit(tensor.name());
  }
  for (const auto& tensor : graph.sparse_initializer()) visit(tensor.values().name());
  for (const auto& node : graph.node()) {
    for (const std::string& output : node.output()) visit(output);
  }
}

/// The names that are numbers, each once, in the order of their values.
std::vector<std::pair<std::string, std::int64_t>> numbers_in(const onnx::GraphProto& graph) {
  std::vector<std::pair<std::string, std::int64_t>> numbers;
  for_each_value(graph, [&](const std::string& name) {
    if (const auto number = number_in(name)) numbers.emplace_back(name, *number);
  });
  return numbers;
}

NewNames new_names(const onnx::ModelProto& model, std::int64_t before, Renumbering way) {
  const std::int64_t count = values_in(model);
  std::int64_t next = count + 1;
  NewNames names;
  for (const auto& [name, number] : numbers_in(model.graph())) {
    const std::int64_t moved = way == Renumbering::together ? number - (before - count) : next++;
    names[name] = moved < 1 ? "below_" + name : std::to_string(moved);
  }
  return names;
}

/// Would all values have names of their own?
bool are_distinct(const onnx::ModelProto& model, const NewNames& names) {
  std::set<std::string> taken;
  for (const auto& [name, moved] : names) {
    if (!taken.insert(moved).second) return false;
  }
  bool distinct = true;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for_each_value(graph, [&](const std::string& name) {
      distinct = distinct && (names.contains(name) || !taken.contains(name));
    });
  });
  return distinct;
}

}  // namespace

std::int64_t values_in(const onnx::ModelProto& model) {
  std::int64_t count = 0;
  for_each_value(model.graph(), [&](const std::string&) { ++count; });
  return count;
}

bool has_numbers(const onnx::ModelProto& model) { return !numbers_in(model.graph()).empty(); }

std::optional<Case> renumbered(const Case& a_case, std::int64_t before, Renumbering way) {
  const NewNames names = new_names(*a_case.model, before, way);
  const bool changes = std::ranges::any_of(names, [](const auto& pair) { return pair.first != pair.second; });
  if (!changes || !are_distinct(*a_case.model, names)) return std::nullopt;
  auto model = std::make_shared<onnx::ModelProto>(*a_case.model);
  rename_values(*model->mutable_graph(), names);
  Case made{std::move(model), a_case.samples};
  for (Inputs& sample : made.samples) {
    for (NamedTensor& input : sample) {
      if (const auto at = names.find(input.name); at != names.end()) input.name = at->second;
    }
  }
  return made;
}

}  // namespace culprit
