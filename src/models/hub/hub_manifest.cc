#include "hub/hub_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
namespace {

using HubJson = nlohmann::ordered_json;

std::optional<std::uint64_t> hub_count(const HubJson& json, const char* key) {
  const HubJson& number = field_in(json, key);
  if (number.is_number_unsigned()) return number.get<std::uint64_t>();
  return std::nullopt;
}

std::vector<std::string> hub_shape(const HubJson& port) {
  std::vector<std::string> shape;
  for (const HubJson& size : list_in(port, "shape"))
    shape.push_back(size.is_string() ? size.get<std::string>() : size.is_number() ? size.dump() : "");
  return shape;
}

std::vector<HubPort> hub_ports(const HubJson& ports, const char* key) {
  std::vector<HubPort> all;
  for (const HubJson& port : list_in(ports, key))
    all.push_back({text_in(port, "name"), hub_shape(port), text_in(port, "type")});
  return all;
}

/// Nothing else is a digest that bytes could have.
std::string hub_digest(const HubJson& json, const char* key) {
  const std::string text = lower_case(text_in(json, key));
  constexpr std::size_t digits = 64;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos ? text : "";
}

HubModel hub_model(const HubJson& entry) {
  const HubJson& more = object_in(entry, "metadata");
  HubModel model{text_in(entry, "model"),
                 {text_in(entry, "model_path"), hub_digest(more, "model_sha"), hub_count(more, "model_bytes")}};
  if (std::string path = text_in(more, "model_with_data_path"); !path.empty())
    model.with_data = HubFile{path, hub_digest(more, "model_with_data_sha"), hub_count(more, "model_with_data_bytes")};
  if (const HubJson& opset = field_in(entry, "opset_version"); opset.is_number_integer())
    model.opset = opset.get<std::int64_t>();
  model.onnx_version = text_in(entry, "onnx_version");
  for (const HubJson& tag : list_in(more, "tags"))
    if (tag.is_string()) model.tags.push_back(tag.get<std::string>());
  model.inputs = hub_ports(object_in(more, "io_ports"), "inputs");
  model.outputs = hub_ports(object_in(more, "io_ports"), "outputs");
  return model;
}

HubJson json_of(const std::vector<HubPort>& ports) {
  HubJson all = HubJson::array();
  for (const HubPort& port : ports) {
    HubJson shape = HubJson::array();
    for (const std::string& size : port.shape) {
      const bool is_number =
          !size.empty() && size.size() < 18 && std::ranges::all_of(size, [](char c) { return c >= '0' && c <= '9'; });
      shape.push_back(is_number ? HubJson(std::stoll(size)) : HubJson(size));
    }
    all.push_back({{"name", port.name}, {"shape", shape}, {"type", port.type}});
  }
  return all;
}

HubJson json_of(const HubModel& model) {
  HubJson more{{"model_sha", model.file.sha256}};
  if (model.file.bytes) more["model_bytes"] = *model.file.bytes;
  more["tags"] = model.tags;
  more["io_ports"] = {{"inputs", json_of(model.inputs)}, {"outputs", json_of(model.outputs)}};
  if (model.with_data) {
    more["model_with_data_path"] = model.with_data->path;
    more["model_with_data_sha"] = model.with_data->sha256;
    if (model.with_data->bytes) more["model_with_data_bytes"] = *model.with_data->bytes;
  }
  return {{"model", model.name},
          {"model_path", model.file.path},
          {"onnx_version", model.onnx_version},
          {"opset_version", model.opset},
          {"metadata", more}};
}

}  // namespace

Result<std::vector<HubModel>> hub_manifest_of(std::string_view text, const std::string& where) {
  const HubJson json = HubJson::parse(text, nullptr, false);
  if (!json.is_array())
    return fail(ErrorKind::bad_input, printable(where, 300) + " is no manifest of a hub: it is no list in JSON",
                std::string("a hub has a ") + hub_manifest_name + ", a list of its models");
  std::vector<HubModel> models;
  models.reserve(json.size());
  for (const HubJson& entry : json) {
    models.push_back(hub_model(entry));
    if (models.back().name.empty() || models.back().file.path.empty())
      return fail(ErrorKind::bad_input, printable(where, 300) + ": entry " + std::to_string(models.size()) +
                                            " has no 'model' or no 'model_path'");
  }
  return models;
}

std::string as_hub_manifest(const std::vector<HubModel>& models) {
  HubJson all = HubJson::array();
  for (const HubModel& model : models) all.push_back(json_of(model));
  return all.dump(1, ' ', false, HubJson::error_handler_t::replace) + "\n";
}

}  // namespace culprit
