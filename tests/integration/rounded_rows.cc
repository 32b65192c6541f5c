#include "rounded_rows.h"

#include <functional>
#include <string>

#include "support/conversion_few_bits.h"
#include "support/more_conversion_rewrites.h"

namespace culprit::testing {

std::vector<ConversionRow> rounded_rows() {
  const auto all = [](const std::function<Tensor(const Tensor&)>& rounded) -> Fault {
    return [=](onnx::ModelProto& model) {
      for_each_large_weight(
          model, [&](const std::string& name, const Tensor& tensor) { set_weight(model, name, rounded(tensor)); });
    };
  };
  return {
      {"all_in_half", "unet", {channels_last_input}, all(to_half), {{"precision", "Conv_1"}}},
      {"all_to_two_decimals",
       "residual",
       {},
       all([](const Tensor& tensor) { return to_decimals(tensor, 2); }),
       {{"precision", "Conv_1"}}},
      {"all_in_half_and_one_wrong",
       "two",
       {},
       both(wrong_weight("Gemm", 1, 1, one_wrong), all(to_half)),
       {{"precision", "Conv_1"}, {"parameter", "Gemm_9"}}},
      {"all_in_half_and_a_relu_lost",
       "unet",
       {},
       both(all(to_half), lost_operator("Relu", 3)),
       {{"precision", "Conv_1"}, {"graph", "Relu_12"}}},
  };
}

}  // namespace culprit::testing
