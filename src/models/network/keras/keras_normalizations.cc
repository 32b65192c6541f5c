// Normalizations of Keras.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using nlohmann::json;

/// Keras 2 has a list of one where an axis is meant.
std::int64_t axis_in(const json& config) {
  const auto axes = numbers_in(config, "axis", 1);
  return axes.empty() ? -1 : axes.front();
}

Result<void> expect_same_sizes(const KerasLayerWriter& work) {
  const KerasWeight* first = nullptr;
  for (const char* role : {"gamma", "beta", "moving_mean", "moving_variance"}) {
    const KerasWeight* one = work.weight(role);
    if (one == nullptr) continue;
    if (first != nullptr && one->tensor.shape() != first->tensor.shape())
      return tl::unexpected(work.wrong("has weights of different shapes"));
    first = one;
  }
  return {};
}

TakenValue given_or(KerasLayerWriter& work, const std::string& role, const std::string& as, float otherwise) {
  if (work.weight(role) != nullptr) return work.parameter(role, as, "C");
  return work.filled("moving_mean", otherwise, as);
}

Result<bool> write_batch(KerasLayerWriter& work) {
  if (auto ok = work.expect_rank("moving_mean", 1); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_same_sizes(work); !ok) return tl::unexpected(ok.error());
  const std::int64_t axis = axis_in(work.config());
  const TakenValue scale = given_or(work, "gamma", "scale", 1), bias = given_or(work, "beta", "bias", 0);
  work.add("BatchNormalization",
           {{work.input()},
            scale,
            bias,
            work.parameter("moving_mean", "mean", "C"),
            work.parameter("moving_variance", "variance", "C")},
           {{"epsilon", number_in(work.config(), "epsilon", 1e-3)}});
  const auto rank = static_cast<std::int64_t>(work.rank());
  work.last()->is_channels_last = axis < 0 || (rank > 0 ? axis == rank - 1 : axis != 1);
  return true;
}

void write_over_axes(KerasLayerWriter& work) {
  KerasHypers hyper{{"epsilon", number_in(work.config(), "epsilon", 1e-3)}};
  const auto axes = numbers_in(work.config(), "axis", 1);
  if (axes.size() > 1)
    hyper["axis"] = axes;
  else
    hyper["axis"] = axes.empty() ? std::int64_t{-1} : axes.front();
  const bool has_beta = work.weight("beta") != nullptr;
  std::vector<TakenValue> taken{{work.input()}, work.parameter("gamma", "scale", "")};
  if (has_beta) taken.push_back(work.parameter("beta", "bias", ""));
  work.add("LayerNormalization", taken, std::move(hyper));
}

/// (x - mean) / sqrt(variance), over the last axis, as converters write it. Zeros divide as Keras has them: as 1e-7.
bool write_fitted(KerasLayerWriter& work) {
  const KerasWeight *mean = work.weight("mean"), *variance = work.weight("variance");
  const bool is_plain = mean != nullptr && variance != nullptr && !flag_in(work.config(), "invert", false) &&
                        mean->tensor.shape().size() <= 1 && variance->tensor.shape() == mean->tensor.shape();
  const std::int64_t axis = axis_in(work.config());
  const bool is_last = axis == -1 || (axis >= 0 && axis + 1 == static_cast<std::int64_t>(work.rank()));
  if (!is_plain || (!is_last && !mean->tensor.shape().empty())) return false;
  std::vector<float> deviations;
  for (std::int64_t i = 0; i < variance->tensor.count(); ++i)
    deviations.push_back(static_cast<float>(std::max(std::sqrt(std::max(variance->tensor.number(i), 0.0)), 1e-7)));
  const int centred = work.add("Sub", {{work.input()}, work.parameter("mean", "operand", "C")});
  work.add(
      "Div",
      {{centred}, work.made(*variance, "deviation", Tensor::of(variance->tensor.shape(), deviations), "operand", "C")});
  return true;
}

}  // namespace

Result<bool> write_normalization(KerasLayerWriter& work, const std::string& kind) {
  if (contains(kind, "BatchNormalization")) return write_batch(work);
  if (kind == "LayerNormalization" && !flag_in(work.config(), "rms_scaling", false)) {
    write_over_axes(work);
    return true;
  }
  if (kind == "RMSNormalization") {
    work.add("RMSNormalization", {{work.input()}, work.parameter("scale", "scale", "")},
             {{"epsilon", number_in(work.config(), "epsilon", 1e-6)}, {"axis", axis_in(work.config())}});
    return true;
  }
  if (kind == "Normalization") return write_fitted(work);
  if (kind != "GroupNormalization") return false;
  work.add("GroupNormalization",
           {{work.input()}, work.parameter("gamma", "scale", "C"), work.parameter("beta", "bias", "C")},
           {{"epsilon", number_in(work.config(), "epsilon", 1e-3)},
            {"num_groups", static_cast<std::int64_t>(number_in(work.config(), "groups", 32))}});
  work.last()->is_channels_last = axis_in(work.config()) != 1;
  return true;
}

}  // namespace culprit
