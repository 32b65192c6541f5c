#include "network/keras/read_keras_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/as_index.h"
#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using nlohmann::json;

/// The place of a call: a layer, and which of its calls.
using CallPlace = std::pair<int, int>;

DType type_in(const json& config) {
  if (!config.is_object() || !config.contains("dtype")) return DType::undefined;
  const json& told = config["dtype"];
  if (told.is_string()) return dtype_named(told.get<std::string>()).value_or(DType::undefined);
  if (!told.is_object() || !told.contains("config")) return DType::undefined;
  return dtype_named(word_in(told["config"], "name")).value_or(DType::undefined);
}

/// The first shape that a configuration tells under these names.
std::optional<std::vector<std::int64_t>> dims_in(const json& config, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!config.is_object() || !config.contains(name) || !config[name].is_array()) continue;
    std::vector<std::int64_t> dims;
    for (const json& dim : config[name]) {
      if (!dim.is_null() && !dim.is_number_integer()) return std::nullopt;
      dims.push_back(dim.is_null() ? -1 : std::max<std::int64_t>(-1, dim.get<std::int64_t>()));
    }
    return dims;
  }
  return std::nullopt;
}

/// Adds what one call computes.
Result<void> write_layer(KerasLayerWriter& work) {
  std::string kind = work.layer().class_name;
  if (work.layer().is_operation || kind == "TFOpLambda") {
    if (!write_function(work)) write_unknown(work);
    return {};
  }
  const json& config = work.layer().config;
  if (kind == "TimeDistributed" && config.contains("layer") && word_in(config["layer"], "class_name") == "Dense" &&
      config["layer"].contains("config")) {
    kind = "Dense";
    work.enter(config["layer"]["config"], "layer/");
  }
  for (auto* write : {write_convolution, write_dense, write_normalization, write_recurrent, write_attention}) {
    const auto written = write(work, kind);
    if (!written) return tl::unexpected(written.error());
    if (*written) return {};
  }
  for (auto* write : {write_activation_layer, write_shaping, write_pooling, write_merging})
    if (write(work, kind)) return {};
  write_unknown(work);
  return {};
}

/// One model, perhaps inside of others: each time it is called, its layers are added anew.
class KerasModelWriter {
 public:
  KerasModelWriter(KerasNetworkWriter& writer, const KerasModel& model, std::string prefix, std::int64_t& number)
      : writer_(writer), model_(model), prefix_(std::move(prefix)), number_(number), results_(model.layers.size()) {
    for (std::size_t i = 0; i < model.layers.size(); ++i) results_[i].resize(model.layers[i].calls.size());
    count_outputs();
  }

  /// `given`: the values that it takes; nothing of the outermost model. Gives its results.
  Result<std::vector<int>> write(const std::vector<int>* given) {
    if (auto ok = writer_.count(model_.inputs.size() + model_.outputs.size()); !ok) return tl::unexpected(ok.error());
    if (auto ok = take_inputs(given); !ok) return tl::unexpected(ok.error());
    auto order = order_calls();
    if (!order) return tl::unexpected(order.error());
    for (const CallPlace& place : *order)
      if (auto ok = write_call(place); !ok) return tl::unexpected(ok.error());
    std::vector<int> outputs;
    for (const KerasSource& source : model_.outputs) {
      const auto value = value_of(source);
      if (!value) return tl::unexpected(value.error());
      outputs.push_back(*value);
    }
    return outputs;
  }

 private:
  using Results = std::vector<int>;  // of a call

  [[nodiscard]] const KerasLayer& layer(const CallPlace& place) const { return model_.layers[as_index(place.first)]; }
  [[nodiscard]] const KerasCall& call(const CallPlace& place) const {
    return layer(place).calls[as_index(place.second)];
  }
  Results& results(const CallPlace& place) { return results_[as_index(place.first)][as_index(place.second)]; }

  [[nodiscard]] std::string name_of(const CallPlace& place) const {
    const std::string name = prefix_ + layer(place).name;
    return place.second == 0 ? name : fmt::format("{}:{}", name, place.second);
  }

  [[nodiscard]] Error wrong(const CallPlace& place, const std::string& what) const {
    return {ErrorKind::bad_input, fmt::format("the layer {} {}", printable(name_of(place), 300), what),
            "The file is damaged: save the whole model again with 'model.save'"};
  }

  /// How many results of each call somebody uses.
  void count_outputs() {
    const auto used = [&](const KerasSource& source) {
      int& count = wanted_[{source.layer, source.call}];
      count = std::max(count, source.output + 1);
    };
    for (const KerasSource& source : model_.outputs) used(source);
    for (const KerasLayer& one : model_.layers)
      for (const KerasCall& of : one.calls)
        for (const KerasArgument& argument : of.arguments)
          if (argument.from) used(*argument.from);
  }

  Result<void> take_inputs(const std::vector<int>* given) {
    if (given != nullptr && given->size() < model_.inputs.size())
      return tl::unexpected(Error{ErrorKind::bad_input,
                                  fmt::format("the model {} takes {} values and is given {}", printable(prefix_, 300),
                                              model_.inputs.size(), given->size()),
                                  ""});
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const CallPlace place{model_.inputs[i].layer, model_.inputs[i].call};
      if (!results(place).empty()) return tl::unexpected(wrong(place, "is an input of the model twice"));
      const int value = given != nullptr ? (*given)[i] : add_input(place);
      const auto dims = dims_in(layer(place).config, {"batch_shape", "batch_input_shape"});
      const DType type = type_in(layer(place).config);
      writer_.declare(value, dims.has_value(), dims.value_or(std::vector<std::int64_t>()), type);
      results(place) = {value};
    }
    return {};
  }

  int add_input(const CallPlace& place) {
    const int value = writer_.add_value(name_of(place), true);
    writer_.network.inputs.push_back(value);
    return value;
  }

  /// Each behind those whose results it takes; else in the order of the file.
  Result<std::vector<CallPlace>> order_calls() {
    std::map<CallPlace, int> missing;
    std::map<CallPlace, std::vector<CallPlace>> users;
    std::set<CallPlace> ready;
    for (int i = 0; i < std::ssize(model_.layers); ++i)
      for (int j = 0; j < std::ssize(model_.layers[as_index(i)].calls); ++j) {
        const CallPlace place{i, j};
        std::set<CallPlace> needed;
        for (const KerasArgument& argument : call(place).arguments)
          if (argument.from) needed.insert({argument.from->layer, argument.from->call});
        for (const CallPlace& one : needed) users[one].push_back(place);
        missing[place] = static_cast<int>(needed.size());
        if (needed.empty()) ready.insert(place);
      }
    std::vector<CallPlace> order;
    while (!ready.empty()) {
      const CallPlace place = *ready.begin();
      ready.erase(ready.begin());
      missing.erase(place);
      order.push_back(place);
      for (const CallPlace& user : users[place])
        if (--missing[user] == 0) ready.insert(user);
    }
    if (!missing.empty()) return tl::unexpected(wrong(missing.begin()->first, "takes what follows from itself"));
    return order;
  }

  Result<int> value_of(const KerasSource& source) {
    const Results& made = results({source.layer, source.call});
    if (as_index(source.output) < made.size()) return made[as_index(source.output)];
    return tl::unexpected(wrong({source.layer, source.call}, fmt::format("has no result {}", source.output)));
  }

  Result<void> write_call(const CallPlace& place) {
    const auto outputs = static_cast<std::size_t>(wanted_[place]);
    const std::size_t told = layer(place).config.size() + layer(place).weights.size() + name_of(place).size() / 100;
    if (auto ok = writer_.count(1 + call(place).arguments.size() + outputs + told); !ok) return ok;
    if (!results(place).empty()) return {};  // an input
    if (layer(place).class_name == "InputLayer") {
      results(place) = {add_input(place)};
      return {};
    }
    std::vector<int> inputs;
    for (const KerasArgument& argument : call(place).arguments) {
      if (!argument.from) continue;
      const auto value = value_of(*argument.from);
      if (!value) return tl::unexpected(value.error());
      writer_.declare(*value, argument.has_dims, argument.dims, argument.dtype);
      inputs.push_back(*value);
    }
    if (inputs.size() == 1)
      if (const auto dims = dims_in(layer(place).build, {"input_shape"}))
        writer_.declare(inputs[0], true, *dims, DType::undefined);
    return layer(place).model ? write_model(place, inputs) : write_own(place, std::move(inputs));
  }

  Result<void> write_model(const CallPlace& place, const std::vector<int>& inputs) {
    auto made = KerasModelWriter(writer_, *layer(place).model, name_of(place) + "/", number_).write(&inputs);
    if (!made) return tl::unexpected(made.error());
    results(place) = std::move(*made);
    return {};
  }

  Result<void> write_own(const CallPlace& place, std::vector<int> inputs) {
    if (inputs.empty()) return tl::unexpected(wrong(place, "takes nothing"));
    const std::size_t first = writer_.network.layers.size();
    KerasLayerWriter work(writer_, layer(place), call(place), name_of(place), std::move(inputs), number_++);
    if (auto ok = write_layer(work); !ok) return ok;
    results(place) = work.finish(std::max(1, wanted_[place]), name_of(place));
    const DType type = type_in(layer(place).config);
    for (std::size_t i = first; i < writer_.network.layers.size(); ++i)
      for (const int value : writer_.network.layers[i].outputs) writer_.declare(value, false, {}, type);
    return {};
  }

  KerasNetworkWriter& writer_;
  const KerasModel& model_;
  std::string prefix_;
  std::int64_t& number_;
  std::vector<std::vector<Results>> results_;  // by layer, by call
  std::map<CallPlace, int> wanted_;            // results that somebody uses
};

/// An activation changes no shape: what lies between it and its layer has the shape of its result.
void declare_hidden(KerasNetworkWriter& writer) {
  for (const NetworkLayer& layer : writer.network.layers) {
    if (layer.inputs.size() != 1 || layer.inputs[0] < 0 || layer.outputs.size() != 1) continue;
    const NetworkValue result = writer.value(layer.outputs[0]);
    if (!writer.value(layer.inputs[0]).is_visible)
      writer.declare(layer.inputs[0], result.has_rank, result.dims, result.dtype);
  }
}

}  // namespace

Result<Network> read_keras_network(const KerasFile& file) {
  const bool is_keras_2 = file.keras_version.empty() || file.keras_version.front() < '3';
  KerasNetworkWriter writer(is_keras_2);
  std::int64_t number = 0;
  auto outputs = KerasModelWriter(writer, file.model, "", number).write(nullptr);
  if (!outputs) {
    outputs.error().message = printable(file.path) + ": " + outputs.error().message;
    return tl::unexpected(outputs.error());
  }
  declare_hidden(writer);
  writer.network.outputs = std::move(*outputs);
  return std::move(writer.network);
}

}  // namespace culprit
