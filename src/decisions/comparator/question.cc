#include "comparator/question.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <span>

#include "tensor/npy.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

DType type_in_numpy(DType type) {
  if (type == DType::u4) return DType::u8;
  if (type == DType::i4) return DType::i8;
  const bool has_it = !is_float(type) || type == DType::f16 || type == DType::f32 || type == DType::f64;
  return has_it ? type : DType::f32;
}

Json described(const NamedTensor& tensor, DType type) {
  Json output{{"name", tensor.name}, {"dtype", name_of(type)}, {"shape", tensor.value.shape()}};
  if (!tensor.part.empty()) output["part"] = tensor.part;
  return output;
}

Result<Json> output_of(const NamedTensor& tensor, const std::filesystem::path& file) {
  const DType type = type_in_numpy(tensor.value.dtype());
  Json output = described(tensor, type);
  if (type == DType::string) {
    output["values"] = tensor.value.strings();
    return output;
  }
  const auto value = type == tensor.value.dtype() ? Result<Tensor>(tensor.value) : cast(tensor.value, type);
  if (!value) return tl::unexpected(value.error());
  if (auto written = write_npy(file, *value, Durability::buffered); !written) return tl::unexpected(written.error());
  output["file"] = file.string();
  return output;
}

Result<Json> outputs_of(std::span<const NamedTensor> outputs, const char* whose, const std::filesystem::path& folder) {
  Json list = Json::array();
  for (const NamedTensor& output : outputs) {
    auto one = output_of(output, folder / (whose + ("-" + std::to_string(list.size())) + ".npy"));
    if (!one) return one;
    list.push_back(std::move(*one));
  }
  return list;
}

Json json_of(const std::vector<TruthBox>& boxes) {
  Json list = Json::array();
  for (const TruthBox& there : boxes)
    list.push_back({{"box", {there.box.x0, there.box.y0, there.box.x1, there.box.y1}},
                    {"class", there.label},
                    {"is_crowd", there.is_crowd}});
  return list;
}

/// null where nothing is known.
Result<Json> json_of(const Truth& truth, const std::filesystem::path& folder) {
  Json known;
  if (!truth.label.empty()) {
    known["label"] = truth.name.empty() ? truth.label : truth.name;
    std::int64_t number = 0;
    const char* end = truth.label.data() + truth.label.size();
    if (const auto read = std::from_chars(truth.label.data(), end, number); read.ec == std::errc() && read.ptr == end)
      known["class"] = number;
  }
  if (truth.boxes) known["boxes"] = json_of(*truth.boxes);
  if (truth.values.empty()) return known;
  auto values = outputs_of(truth.values, "truth", folder);
  if (!values) return values;
  known["outputs"] = std::move(*values);
  return known;
}

}  // namespace

Result<std::string> question_of(const SampleOutputs& sample, const std::filesystem::path& folder) {
  Json line{{"number", sample.number}, {"name", sample.name}};
  const auto put = [&line](const char* key, Result<Json> value) -> Result<void> {
    if (!value) return tl::unexpected(value.error());
    line[key] = std::move(*value);
    return {};
  };
  if (auto ok = put("truth", sample.truth ? json_of(*sample.truth, folder) : Json()); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = put("reference", outputs_of(sample.reference, "reference", folder)); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = put("variant", outputs_of(sample.variant, "variant", folder)); !ok) return tl::unexpected(ok.error());
  return line.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

}  // namespace culprit
