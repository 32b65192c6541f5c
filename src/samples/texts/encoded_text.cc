#include "texts/encoded_text.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/base64.h"
#include "base/json_fields.h"

namespace culprit {
namespace {

tl::unexpected<Error> wrong(const char* what) { return fail(ErrorKind::bad_input, std::string("'encoded' ") + what); }

}  // namespace

Result<Tensor> encoded_text(const nlohmann::json& json, std::size_t rows, std::size_t length) {
  constexpr std::size_t dims = 3;
  Shape shape;
  for (const nlohmann::json& dim : list_in(json, "shape")) {
    if (!dim.is_number_integer()) return wrong("has sizes that are no numbers");
    shape.push_back(dim.get<std::int64_t>());
  }
  if (shape.size() != dims) return wrong("has not three sizes");
  if (std::cmp_not_equal(shape[0], rows)) return wrong("has not a row for each row of tokens");
  if (std::cmp_less(shape[1], length)) return wrong("has not a place for each token");
  const nlohmann::json& text = field_in(json, "f32");
  if (!text.is_string()) return wrong("has no numbers");
  auto bytes = bytes_of_base64(text.get_ref<const std::string&>());
  if (!bytes) return wrong("is no base64");
  auto tensor = Tensor::from_bytes(DType::f32, std::move(shape), std::move(*bytes));
  if (!tensor) return wrong("has not as many numbers as its sizes say");
  return tensor;
}

nlohmann::json json_of_encoded(const Tensor& encoded) {
  const auto floats = cast(encoded, DType::f32);
  if (!floats) return nullptr;
  return {{"shape", floats->shape()}, {"f32", base64_of(floats->bytes())}};
}

}  // namespace culprit
