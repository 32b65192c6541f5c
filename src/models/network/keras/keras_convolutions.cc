// Convolutions, dense layers and embeddings of Keras.
#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using Integers = std::vector<std::int64_t>;

/// 2 of "Conv2D"; 0 where the name says nothing.
std::size_t dimensions_of(const std::string& kind) {
  for (const std::size_t count : {1, 2, 3})
    if (contains(kind, std::to_string(count) + "D")) return count;
  return 0;
}

/// "HWIO": the last dimensions as ONNX's pages call them, then what is behind.
std::string axes_of_kernel(std::size_t dimensions, const std::string& behind) {
  return std::string("DHW").substr(3 - dimensions) + behind;
}

void set_padding(KerasHypers& hyper, const KerasLayerWriter& work, const Integers& sizes, const Integers& dilations) {
  const std::string padding = word_in(work.config(), "padding", "valid");
  if (padding != "causal") {
    hyper["auto_pad"] = std::string(padding == "same" ? "SAME_UPPER" : "VALID");
    return;
  }
  const std::int64_t reach = sizes.empty() ? 0 : sizes[0] - 1, step = dilations.empty() ? 1 : dilations[0];
  const bool is_small = reach >= 0 && reach < INT32_MAX && step >= 0 && step < INT32_MAX;
  hyper["pads"] = Integers{is_small ? reach * step : 0, 0};
}

/// Strides, dilations and padding as the configuration has them, for a kernel of these sizes.
KerasHypers sliding_hyper(const KerasLayerWriter& work, const Integers& sizes) {
  KerasHypers hyper;
  hyper["kernel_shape"] = sizes;
  Integers strides = numbers_in(work.config(), "strides", sizes.size());
  Integers dilations = numbers_in(work.config(), "dilation_rate", sizes.size());
  if (strides.empty()) strides.assign(sizes.size(), 1);
  if (dilations.empty()) dilations.assign(sizes.size(), 1);
  set_padding(hyper, work, sizes, dilations);
  hyper["strides"] = std::move(strides);
  hyper["dilations"] = std::move(dilations);
  return hyper;
}

Integers sizes_of_kernel(const KerasWeight& kernel, std::size_t dimensions) {
  return {kernel.tensor.shape().begin(), kernel.tensor.shape().begin() + static_cast<std::ptrdiff_t>(dimensions)};
}

Result<bool> write_plain(KerasLayerWriter& work, std::size_t dimensions) {
  if (auto ok = work.expect_rank("kernel", dimensions + 2); !ok) return tl::unexpected(ok.error());
  KerasHypers hyper = sliding_hyper(work, sizes_of_kernel(*work.weight("kernel"), dimensions));
  hyper["group"] = static_cast<std::int64_t>(number_in(work.config(), "groups", 1));
  work.add("Conv",
           {{work.input()},
            work.parameter("kernel", "kernel", axes_of_kernel(dimensions, "IO")),
            work.parameter("bias", "bias", "O")},
           std::move(hyper));
  return true;
}

Result<bool> write_transposed(KerasLayerWriter& work, std::size_t dimensions) {
  if (auto ok = work.expect_rank("kernel", dimensions + 2); !ok) return tl::unexpected(ok.error());
  KerasHypers hyper = sliding_hyper(work, sizes_of_kernel(*work.weight("kernel"), dimensions));
  if (Integers more = numbers_in(work.config(), "output_padding", dimensions); !more.empty())
    hyper["output_padding"] = std::move(more);
  work.add("ConvTranspose",
           {{work.input()},
            work.parameter("kernel", "kernel", axes_of_kernel(dimensions, "OI")),
            work.parameter("bias", "bias", "O")},
           std::move(hyper));
  return true;
}

/// [H, W, C, M]: channel c gives those from c x M on. Where M is 1, C are the outputs; else both are made one.
TakenValue kernel_by_channel(KerasLayerWriter& work, std::size_t dimensions, const std::string& role) {
  const KerasWeight& kernel = *work.weight(role);
  Shape shape = kernel.tensor.shape();
  if (shape.back() == 1) return work.parameter(role, "kernel", axes_of_kernel(dimensions, "OI"));
  shape[dimensions + 1] *= shape[dimensions];
  shape[dimensions] = 1;
  auto as_one =
      Tensor::from_bytes(kernel.tensor.dtype(), shape, {kernel.tensor.bytes().begin(), kernel.tensor.bytes().end()});
  if (!as_one) return work.parameter(role, "kernel", axes_of_kernel(dimensions, "CM"));
  return work.made(kernel, role, std::move(*as_one), "kernel", axes_of_kernel(dimensions, "IO"));
}

/// Each channel by itself. Gives what it gives.
Result<int> write_by_channel(KerasLayerWriter& work, std::size_t dimensions, const std::string& role,
                             const std::string& bias) {
  if (auto ok = work.expect_rank(role, dimensions + 2); !ok) return tl::unexpected(ok.error());
  const KerasWeight& kernel = *work.weight(role);
  KerasHypers hyper = sliding_hyper(work, sizes_of_kernel(kernel, dimensions));
  hyper["group"] = kernel.tensor.shape()[dimensions];
  std::vector<TakenValue> taken{{work.input()}, kernel_by_channel(work, dimensions, role)};
  if (!bias.empty()) taken.push_back(work.parameter(bias, "bias", "O"));
  return work.add("Conv", taken, std::move(hyper));
}

Result<bool> write_separable(KerasLayerWriter& work, std::size_t dimensions) {
  const auto between = write_by_channel(work, dimensions, "depthwise_kernel", "");
  if (!between) return tl::unexpected(between.error());
  if (auto ok = work.expect_rank("pointwise_kernel", dimensions + 2); !ok) return tl::unexpected(ok.error());
  const Integers ones(dimensions, 1);
  work.add("Conv",
           {{*between},
            work.parameter("pointwise_kernel", "kernel", axes_of_kernel(dimensions, "IO")),
            work.parameter("bias", "bias", "O")},
           {{"kernel_shape", ones},
            {"strides", ones},
            {"dilations", ones},
            {"group", std::int64_t{1}},
            {"auto_pad", std::string("VALID")}});
  return true;
}

Result<bool> write_einsum(KerasLayerWriter& work) {
  if (work.weight("kernel") == nullptr) return tl::unexpected(work.wrong("has no weight kernel"));
  const int product = work.add("Einsum", {{work.input()}, work.parameter("kernel", "kernel", "")},
                               {{"equation", word_in(work.config(), "equation").substr(0, 200)}});
  if (work.weight("bias") != nullptr) work.add("Add", {{product}, work.parameter("bias", "bias", "")});
  return true;
}

}  // namespace

Result<bool> write_convolution(KerasLayerWriter& work, const std::string& kind) {
  const std::size_t dimensions = dimensions_of(kind);
  if (dimensions == 0 || kind.starts_with("ConvLSTM")) return false;
  Result<bool> written = false;
  if (kind.starts_with("Conv") && kind.ends_with("Transpose")) {
    written = write_transposed(work, dimensions);
  } else if (kind.starts_with("Conv")) {
    written = write_plain(work, dimensions);
  } else if (kind.starts_with("DepthwiseConv")) {
    const auto result = write_by_channel(work, dimensions, "kernel", "bias");
    written = result ? Result<bool>(true) : tl::unexpected(result.error());
  } else if (kind.starts_with("SeparableConv")) {
    written = write_separable(work, dimensions);
  }
  if (written && *written) add_activation(work, activation_in(work.config()));
  return written;
}

Result<bool> write_dense(KerasLayerWriter& work, const std::string& kind) {
  if (kind == "Embedding") {
    if (auto ok = work.expect_rank("embeddings", 2); !ok) return tl::unexpected(ok.error());
    work.add("Gather", {work.parameter("embeddings", "table", ""), {work.input()}}, {{"axis", std::int64_t{0}}});
    return true;
  }
  if (kind == "EinsumDense") {
    auto written = write_einsum(work);
    if (written) add_activation(work, activation_in(work.config()));
    return written;
  }
  if (kind != "Dense") return false;
  if (auto ok = work.expect_rank("kernel", 2); !ok) return tl::unexpected(ok.error());
  work.add("Gemm", {{work.input()}, work.parameter("kernel", "kernel", "IO"), work.parameter("bias", "bias", "O")});
  add_activation(work, activation_in(work.config()));
  return true;
}

}  // namespace culprit
