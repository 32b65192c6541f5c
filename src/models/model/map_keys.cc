#include "model/map_keys.h"

#include <onnx/onnx_pb.h>

#include <optional>
#include <vector>

#include "model/traced_value.h"

namespace culprit {
namespace {

constexpr std::int64_t most_places = 16;

Tensor numbers(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

std::optional<Tensor> vocabulary(const onnx::NodeProto& node) {
  if (const auto* words = attribute_of(node, "string_vocabulary"); words != nullptr && words->strings_size() > 0) {
    const std::vector<std::string> strings(words->strings().begin(), words->strings().end());
    return Tensor::from_strings({static_cast<std::int64_t>(strings.size())}, strings).value();
  }
  const auto* ids = attribute_of(node, "int64_vocabulary");
  if (ids == nullptr || ids->ints_size() == 0) return std::nullopt;
  return numbers({ids->ints().begin(), ids->ints().end()});
}

std::optional<Tensor> places(const onnx::NodeProto& node) {
  const auto* form = attribute_of(node, "map_form");
  const auto* most = attribute_of(node, "max_map");
  if (form == nullptr || form->s() != "SPARSE") return std::nullopt;
  const std::int64_t count = std::clamp<std::int64_t>(most == nullptr ? 1 : most->i(), 1, most_places);
  std::vector<std::int64_t> keys;
  for (std::int64_t i = 0; i < count; ++i) keys.push_back(i);
  return numbers(keys);
}

}  // namespace

std::map<std::string, Tensor> map_keys(const onnx::ModelProto& model) {
  std::map<std::string, Tensor> keys;
  for (const auto& node : model.graph().node()) {
    const bool looks_up = node.op_type() == "DictVectorizer" || node.op_type() == "CastMap";
    if (!looks_up || node.input_size() == 0) continue;
    auto known = node.op_type() == "CastMap" ? places(node) : vocabulary(node);
    if (known) keys.emplace(node.input(0), std::move(*known));
  }
  return keys;
}

}  // namespace culprit
