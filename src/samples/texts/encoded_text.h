#pragma once
// What an encoder made of a text, as a line of JSON has it: {"shape": [1,12,512], "f32": base64}.

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

/// Floats [N,L,D]. ErrorKind::bad_input: other sizes than `rows` and at least `length`, or not as many numbers as they
/// say.
Result<Tensor> encoded_text(const nlohmann::json& json, std::size_t rows, std::size_t length);

/// Floats of any width become float32.
nlohmann::json json_of_encoded(const Tensor& encoded);

}  // namespace culprit
