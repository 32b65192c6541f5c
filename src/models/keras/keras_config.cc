#include "keras/keras_config.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/json_depth.h"
#include "base/text.h"
#include "keras/keras_refusals.h"

namespace culprit {
namespace {

using nlohmann::json;

constexpr std::size_t largest_config = std::size_t{32} << 20U;
constexpr int deepest_json = 512, deepest_model = 16;
constexpr std::size_t most_layers = 100'000, longest_name = 1000;
constexpr std::int64_t most_outputs = 1024;  // of one call

const json* member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

tl::unexpected<Error> damaged(const std::string& what) {
  return fail(ErrorKind::bad_input, what, "The file is damaged, or of a version of Keras that is not known");
}

/// [null, 28, 28, 1]
bool read_dims(const json* told, std::vector<std::int64_t>& dims) {
  if (told == nullptr || !told->is_array() || told->size() > 64) return false;
  dims.clear();
  for (const json& dim : *told) {
    if (!dim.is_null() && !dim.is_number_integer()) return false;
    dims.push_back(dim.is_null() ? -1 : std::max<std::int64_t>(dim.get<std::int64_t>(), -1));
  }
  return true;
}

/// ["conv", 0, 0], perhaps with a dictionary behind.
bool is_reference(const json& part) {
  return part.is_array() && (part.size() == 3 || part.size() == 4) && part[0].is_string() &&
         part[1].is_number_integer() && part[2].is_number_integer() && (part.size() == 3 || part[3].is_object());
}

class ModelReader {
 public:
  ModelReader(const KerasOptions& options, int depth) : options_(options), depth_(depth) {}

  Result<KerasModel> read(const json& model) {
    if (depth_ > deepest_model)
      return damaged("models are nested more than " + std::to_string(deepest_model) + " deep");
    const json* config = member(model, "config");
    if (config == nullptr) return damaged("the model has no configuration");
    model_.is_sequential = config->is_array() || member(*config, "input_layers") == nullptr;
    model_.name = word_in(*config, "name", word_in(model, "name"));
    const json* layers = config->is_array() ? config : member(*config, "layers");
    if (layers == nullptr || !layers->is_array())
      return fail(ErrorKind::unsupported,
                  "the model " + printable(word_in(model, "class_name"), 100) + " does not tell its layers",
                  "A model that is a class of its own is Python code: export it as a SavedModel");
    if (layers->size() > most_layers) return damaged("the model has more than 100000 layers");
    for (const json& one : *layers)
      if (auto ok = add_layer(one); !ok) return tl::unexpected(ok.error());
    if (auto ok = model_.is_sequential ? chain(*config) : connect(*config, *layers); !ok)
      return tl::unexpected(ok.error());
    return std::move(model_);
  }

 private:
  Result<void> add_layer(const json& told) {
    KerasLayer layer;
    layer.class_name = word_in(told, "class_name");
    layer.module = word_in(told, "module");
    layer.is_operation =
        layer.module.starts_with("keras.src.ops") || layer.module.starts_with("keras.ops") || is_operation_of_h5(told);
    const json* config = member(told, "config");
    const bool is_inner = config != nullptr && is_model(layer.class_name, *config);
    if (config != nullptr && !is_inner) layer.config = *config;
    if (const json* build = member(told, "build_config")) layer.build = *build;
    layer.name = word_in(told, "name", config == nullptr ? "" : word_in(*config, "name"));
    if (layer.name.size() > longest_name) return damaged("a layer has a name of more than 1000 letters");
    if (layer.class_name.empty() || layer.class_name.size() > 500) return damaged("a layer has no class");
    if (layer.name.empty()) return damaged("a layer of the class " + printable(layer.class_name, 100) + " has no name");
    const bool is_known = layer.is_operation || is_layer_of_keras(layer.class_name) || !layer.module.empty();
    if (!is_known && !options_.trust)
      return fail(
          ErrorKind::unsupported,
          "the layer " + printable(layer.name, 200) + " is of the class " + printable(layer.class_name, 100) +
              ", which is not Keras' own",
          "Who runs such a model runs its code: if you know who made it, say --trust; else replace the layer by "
          "one of Keras");
    if (auto ok = refuse_quantized(layer); !ok) return ok;
    if (is_inner) {
      auto inner = ModelReader(options_, depth_ + 1).read(told);
      if (!inner) return tl::unexpected(inner.error());
      layer.model = std::make_shared<const KerasModel>(std::move(*inner));
    }
    if (!numbers_.emplace(layer.name, static_cast<int>(model_.layers.size())).second)
      return damaged("two layers are called " + printable(layer.name, 200));
    model_.layers.push_back(std::move(layer));
    return {};
  }

  /// The .h5 of Keras 3 does not say that a class is a function (which Keras cannot read again): it has no
  /// configuration.
  static bool is_operation_of_h5(const json& told) {
    const json *nodes = member(told, "inbound_nodes"), *config = member(told, "config");
    const bool is_bare = member(told, "module") == nullptr && config != nullptr && !config->contains("trainable") &&
                         nodes != nullptr && nodes->is_array() && !nodes->empty() && nodes->front().is_object();
    return is_bare && is_function_of_keras(word_in(told, "class_name"));
  }

  static bool is_model(const std::string& class_name, const json& config) {
    const bool has_layers = config.is_array() || member(config, "layers") != nullptr;
    return has_layers &&
           (is_one_of(class_name, {"Functional", "Model", "Sequential"}) || member(config, "input_layers") != nullptr);
  }

  static Result<void> refuse_quantized(const KerasLayer& layer) {
    const json* policy = member(layer.config, "dtype");
    const bool is_policy = policy != nullptr && contains(word_in(*policy, "class_name"), "Quantized");
    if (!is_policy && member(layer.config, "quantization_config") == nullptr) return {};
    return fail(ErrorKind::unsupported, "the layer " + printable(layer.name, 200) + " is quantized by Keras itself",
                "Give the model as it was before 'quantize' was called");
  }

  /// Each layer of a Sequential model takes what the one before gives.
  Result<void> chain(const json& config) {
    if (model_.layers.empty()) return damaged("a Sequential model has no layers");
    if (model_.layers.front().class_name != "InputLayer") put_input_in_front(config);
    model_.inputs = {{0, 0, 0}};
    for (std::size_t i = 0; i < model_.layers.size(); ++i) {
      KerasCall call;
      if (i > 0) call.arguments.push_back({"", KerasSource{static_cast<int>(i) - 1, 0, 0}, {}});
      model_.layers[i].calls = {call};
    }
    model_.outputs = {{static_cast<int>(model_.layers.size()) - 1, 0, 0}};
    return {};
  }

  void put_input_in_front(const json& config) {
    KerasLayer input;
    input.class_name = "InputLayer";
    const KerasLayer& first = model_.layers.front();
    input.name = first.name + "_input";
    input.config = json::object();
    for (const json* from : {&first.config, &config, &first.build})
      for (const char* name : {"batch_shape", "batch_input_shape", "build_input_shape", "input_shape"})
        if (const json* shape = member(*from, name); shape != nullptr && !input.config.contains("batch_shape"))
          input.config["batch_shape"] = *shape;
    if (first.class_name != "Embedding") {
      if (const json* type = member(first.config, "dtype")) input.config["dtype"] = *type;
    }
    model_.layers.insert(model_.layers.begin(), std::move(input));
  }

  Result<void> connect(const json& config, const json& layers) {
    for (std::size_t i = 0; i < model_.layers.size(); ++i) {
      const json* nodes = member(layers[i], "inbound_nodes");
      std::vector<KerasCall>& calls = model_.layers[i].calls;
      if (nodes != nullptr && nodes->is_array())
        for (const json& node : *nodes) {
          auto call = node.is_object() && node.contains("args") ? call_of_keras_3(node) : call_of_keras_2(node);
          if (!call) return damaged("layer " + printable(model_.layers[i].name, 200) + ": " + call.error().message);
          calls.push_back(std::move(*call));
        }
      if (calls.empty() && model_.layers[i].class_name == "InputLayer") calls.emplace_back();
    }
    auto inputs = references(config, "input_layers"), outputs = references(config, "output_layers");
    if (!inputs) return tl::unexpected(inputs.error());
    if (!outputs) return tl::unexpected(outputs.error());
    model_.inputs = std::move(*inputs);
    model_.outputs = std::move(*outputs);
    if (const json& told = config["output_layers"]; told.is_object())
      for (const auto& [name, one] : told.items())
        if (is_reference(one)) model_.output_names.push_back(name);
    if (model_.output_names.size() != model_.outputs.size()) model_.output_names.clear();
    count_from_zero();
    return check_sources();
  }

  Result<std::vector<KerasSource>> references(const json& config, const char* name) {
    std::vector<KerasArgument> found;
    const json* told = member(config, name);
    if (told != nullptr)
      if (auto ok = add_references(*told, "", found); !ok) return tl::unexpected(ok.error());
    std::vector<KerasSource> sources;
    for (const KerasArgument& one : found)
      if (one.from) sources.push_back(*one.from);
    if (sources.empty()) return damaged(std::string("the model has no ") + name);
    return sources;
  }

  Result<KerasSource> source_of(const json& reference) const {
    const auto layer = numbers_.find(reference[0].get<std::string>());
    const std::int64_t call = reference[1].get<std::int64_t>(), output = reference[2].get<std::int64_t>();
    if (layer == numbers_.end())
      return damaged("no layer is called " + printable(reference[0].get<std::string>(), 200));
    if (call < 0 || call > INT32_MAX || output < 0 || output >= most_outputs)
      return damaged("a value of the layer " + printable(layer->first, 200) + " has an impossible number");
    return KerasSource{layer->second, static_cast<int>(call), static_cast<int>(output)};
  }

  void for_all_sources(const std::function<void(KerasSource&)>& work) {
    for (auto* list : {&model_.inputs, &model_.outputs})
      for (KerasSource& source : *list) work(source);
    for (KerasLayer& layer : model_.layers)
      for (KerasCall& call : layer.calls)
        for (KerasArgument& argument : call.arguments)
          if (argument.from) work(*argument.from);
  }

  /// To Keras 2, a model that is a layer was called once when it was made: its calls have the numbers 1, 2, ...
  void count_from_zero() {
    std::map<int, std::pair<int, int>> used;  // the least and the largest number, by layer
    for_all_sources([&](const KerasSource& source) {
      const auto [found, is_new] = used.try_emplace(source.layer, source.call, source.call);
      if (!is_new)
        found->second = {std::min(found->second.first, source.call), std::max(found->second.second, source.call)};
    });
    for_all_sources([&](KerasSource& source) {
      const KerasLayer& layer = model_.layers[static_cast<std::size_t>(source.layer)];
      const auto [least, most] = used[source.layer];
      if (layer.model && least > 0 && most == std::ssize(layer.calls)) --source.call;
    });
  }

  /// Calls are known when all layers were read.
  Result<void> check_sources() const {
    const auto is_there = [&](const KerasSource& source) {
      return source.call < std::ssize(model_.layers[static_cast<std::size_t>(source.layer)].calls);
    };
    const auto missing = [&](const KerasSource& source) {
      return damaged("the layer " + printable(model_.layers[static_cast<std::size_t>(source.layer)].name, 200) +
                     " is not called as often as its results are used");
    };
    for (const auto* list : {&model_.inputs, &model_.outputs})
      for (const KerasSource& source : *list)
        if (!is_there(source)) return missing(source);
    for (const KerasLayer& layer : model_.layers)
      for (const KerasCall& call : layer.calls)
        for (const KerasArgument& argument : call.arguments)
          if (argument.from && !is_there(*argument.from)) return missing(*argument.from);
    return {};
  }

  /// [["conv", 0, 0, {"training": false}], ...]: what is in the dictionary are arguments, too.
  Result<void> add_references(const json& part, const std::string& name, std::vector<KerasArgument>& found) const {
    if (part.is_array() && part.size() >= 3 && part[0] == "_CONSTANT_VALUE") {
      found.push_back({name, {}, part[2]});
      return {};
    }
    if (is_reference(part)) {
      auto source = source_of(part);
      if (!source) return tl::unexpected(source.error());
      found.push_back({name, *source, {}});
      return part.size() == 4 ? add_named(part[3], found) : Result<void>();
    }
    if (part.is_object()) return add_named(part, found);
    if (!part.is_array()) return damaged("what it takes is no value");
    for (const json& one : part)
      if (auto ok = add_references(one, name, found); !ok) return ok;
    return {};
  }

  Result<void> add_named(const json& dictionary, std::vector<KerasArgument>& found) const {
    for (const auto& [name, one] : dictionary.items()) {
      if (one.is_null()) continue;
      const bool is_list = one.is_array() && !one.empty() && std::ranges::all_of(one, is_reference);
      const bool is_value = is_reference(one) && numbers_.contains(one[0].get<std::string>());
      if (is_list || is_value) {
        if (auto ok = add_references(one, name, found); !ok) return ok;
      } else {
        found.push_back({name, {}, one});
      }
    }
    return {};
  }

  Result<KerasCall> call_of_keras_2(const json& node) const {
    KerasCall call;
    if (auto ok = add_references(node, "", call.arguments); !ok) return tl::unexpected(ok.error());
    return call;
  }

  static bool holds_values(const json& part) {
    if (word_in(part, "class_name") == "__keras_tensor__") return true;
    return (part.is_array() || (part.is_object() && !part.contains("class_name"))) &&
           std::ranges::any_of(part, holds_values);
  }

  Result<void> add_tensors(const json& part, const std::string& name, std::vector<KerasArgument>& found) const {
    if (word_in(part, "class_name") == "__keras_tensor__") {
      const json* config = member(part, "config");
      const json* history = config == nullptr ? nullptr : member(*config, "keras_history");
      if (history == nullptr || !is_reference(*history)) return damaged("a value does not say who makes it");
      auto source = source_of(*history);
      if (!source) return tl::unexpected(source.error());
      KerasArgument made{name, *source, {}};
      made.has_dims = read_dims(member(*config, "shape"), made.dims);
      made.dtype = dtype_named(word_in(*config, "dtype")).value_or(DType::undefined);
      found.push_back(std::move(made));
      return {};
    }
    if (!holds_values(part)) {
      if (!part.is_null()) found.push_back({name, {}, part});
      return {};
    }
    for (const json& one : part)
      if (auto ok = add_tensors(one, name, found); !ok) return ok;
    return {};
  }

  Result<KerasCall> call_of_keras_3(const json& node) const {
    KerasCall call;
    const json &positional = node["args"], *named = member(node, "kwargs");
    if (!positional.is_array()) return damaged("its arguments are no list");
    for (const json& one : positional)
      if (auto ok = add_tensors(one, "", call.arguments); !ok) return tl::unexpected(ok.error());
    if (named != nullptr && named->is_object())
      for (const auto& [name, one] : named->items())
        if (auto ok = add_tensors(one, name, call.arguments); !ok) return tl::unexpected(ok.error());
    return call;
  }

  const KerasOptions& options_;
  int depth_;
  KerasModel model_;
  std::map<std::string, int, std::less<>> numbers_;  // of layers, by name
};

}  // namespace

Result<json> parse_keras_json(const std::string& text) {
  if (text.size() > largest_config) return damaged("its configuration is larger than 32 MiB");
  if (json_depth(text) > deepest_json) return damaged("its configuration is nested too deep");
  auto parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded() || !parsed.is_object()) return damaged("its configuration is no JSON");
  return parsed;
}

Result<KerasModel> model_of_config(const json& model, const KerasOptions& options) {
  if (!options.trust)
    if (auto ok = refuse_foreign_code(model); !ok) return tl::unexpected(ok.error());
  return ModelReader(options, 0).read(model);
}

double number_in(const json& config, const char* name, double otherwise) {
  const json* found = member(config, name);
  return found != nullptr && found->is_number() ? found->get<double>() : otherwise;
}

bool flag_in(const json& config, const char* name, bool otherwise) {
  const json* found = member(config, name);
  return found != nullptr && found->is_boolean() ? found->get<bool>() : otherwise;
}

std::string word_in(const json& config, const char* name, const std::string& otherwise) {
  const json* found = member(config, name);
  return found != nullptr && found->is_string() ? found->get<std::string>() : otherwise;
}

}  // namespace culprit
