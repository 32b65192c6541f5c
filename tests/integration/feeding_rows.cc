#include "feeding_rows.h"

#include "support/fed_otherwise.h"
#include "support/more_conversion_rewrites.h"

namespace culprit::testing {

std::vector<ConversionRow> feeding_rows() {
  const Floats means{0.485F, 0.456F, 0.406F}, deviations{0.229F, 0.224F, 0.225F};
  const auto of_input = [](const std::string& input) { return std::vector<ConversionTruth>{{"preprocessing", input}}; };
  return {
      {"fed_with_channels_reversed",
       "cnn",
       {fold_normalizations, channels_last_input},
       channels_reversed(),
       of_input("x")},
      {"fed_0_to_255", "residual", {}, normalized_inside("x", {127.5F}, {127.5F}), of_input("x")},
      {"fed_0_to_1", "separable", {channels_last_input}, normalized_inside("x", means, deviations), of_input("x")},
      {"fed_on_its_side", "unet", {}, done_inside("x", {turned_node("x", {0, 1, 3, 2})}), of_input("x")},
      {"one_of_two_fed_reversed", "two", {}, channels_reversed(), of_input("picture")},
      {"fed_by_reshape", "cnn", {channels_last_by_reshape}, {}, of_input("x")},
  };
}

}  // namespace culprit::testing
