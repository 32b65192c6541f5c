#include "network/keras/keras_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/as_index.h"
#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_list = UINT64_C(256) << 20U;

bool is_list_of_words(const json& told, const char* name) {
  return told.contains(name) && told[name].is_array() &&
         std::ranges::all_of(told[name], [](const json& one) { return one.is_string(); });
}

bool is_word(const json& told, const char* name) { return told.contains(name) && told[name].is_string(); }

bool is_graph(const json& told) {
  if (!told.is_object() || !is_list_of_words(told, "inputs") || !is_list_of_words(told, "outputs")) return false;
  return told.contains("values") && told["values"].is_object() &&
         std::ranges::all_of(told["values"], [](const json& one) {
           return one.is_object() && is_word(one, "shown") && is_word(one, "fed");
         });
}

/// What lies before an activation that is part of a layer has no name in the file.
void name_preactivations(KerasRun& run) {
  for (const NetworkLayer& layer : run.network.layers) {
    if (layer.inputs.size() != 1 || layer.inputs[0] < 0 || layer.outputs.empty()) continue;
    NetworkValue& before = run.network.values[as_index(layer.inputs[0])];
    const bool is_inside = before.made_by >= 0 && run.network.layers[as_index(before.made_by)].native == layer.native;
    const std::string name = run.network.values[as_index(layer.outputs[0])].name + "/preactivation";
    if (before.is_visible || !is_inside || !run.graph.values.contains(name)) continue;
    before.name = name;
    before.is_visible = true;
  }
}

void find_tensors(KerasRun& run) {
  for (NetworkValue& value : run.network.values) {
    KerasTensors& tensors = run.tensors.emplace_back();
    if (value.made_by < 0 || !value.is_visible) continue;
    const auto found = run.graph.values.find(value.name);
    if (found != run.graph.values.end()) tensors = found->second;
    value.is_visible = !tensors.shown.empty();
  }
}

/// By the names of the tensors.
void name_ends(KerasRun& run) {
  Network& network = run.network;
  std::set<int> named;
  for (std::size_t i = 0; i < network.outputs.size(); ++i) {
    NetworkValue& output = network.values[as_index(network.outputs[i])];
    if (output.made_by >= 0 && named.insert(network.outputs[i]).second) output.name = run.graph.outputs[i];
  }
  for (std::size_t i = 0; i < network.inputs.size(); ++i)
    network.values[as_index(network.inputs[i])].name = run.graph.inputs[i];
}

}  // namespace

Result<KerasGraph> read_keras_graph(const std::filesystem::path& file) {
  const auto bytes = read_file(file, largest_list);
  if (!bytes) return tl::unexpected(bytes.error());
  const json told = json::parse(*bytes, nullptr, false);
  if (!is_graph(told))
    return fail(ErrorKind::bad_input, printable(file.string()) + ": it is no list of what layers give",
                "Remove it: it is made again");
  KerasGraph graph{told["inputs"].get<std::vector<std::string>>(), told["outputs"].get<std::vector<std::string>>(), {}};
  for (const auto& [name, tensors] : told["values"].items())
    graph.values[name] = {tensors["shown"].get<std::string>(), tensors["fed"].get<std::string>()};
  return graph;
}

Result<KerasRun> as_run_by(Network network, KerasGraph graph) {
  if (network.inputs.size() != graph.inputs.size() || network.outputs.size() != graph.outputs.size())
    return fail(ErrorKind::bad_input,
                fmt::format("Keras gives the model {} inputs and {} outputs, and its file tells of {} and {}",
                            graph.inputs.size(), graph.outputs.size(), network.inputs.size(), network.outputs.size()));
  KerasRun run{std::move(network), std::move(graph), {}};
  name_preactivations(run);
  find_tensors(run);
  name_ends(run);
  return run;
}

}  // namespace culprit
