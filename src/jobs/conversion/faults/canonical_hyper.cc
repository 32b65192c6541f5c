#include "conversion/faults/canonical_hyper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace culprit {
namespace {

using Ints = std::vector<std::int64_t>;

/// What changes no number, or what others tell.
constexpr std::array<std::string_view, 16> left_out{
    "transA",        "transB",   "keepdims",    "noop_with_empty_axes", "training_mode",   "momentum", "spatial",
    "storage_order", "layout",   "hidden_size", "stash_type",           "consumed_inputs", "is_test",  "scales",
    "sizes",         "allowzero"};

bool is_of(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

bool slides(std::string_view type) {
  return is_of(type, {"Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool", "QLinearConv", "ConvInteger"});
}

bool has_kernel(std::string_view type) { return is_of(type, {"Conv", "ConvTranspose", "QLinearConv", "ConvInteger"}); }

std::optional<Ints> ints_of(const Hyper& hyper) {
  if (const auto* list = std::get_if<Ints>(&hyper)) return *list;
  if (const auto* one = std::get_if<std::int64_t>(&hyper)) return Ints{*one};
  return std::nullopt;
}

/// The axis of the source that this axis of the layer's input is.
std::int64_t source_axis(std::int64_t axis, const ValueOrder& order, std::size_t rank) {
  if (axis < 0) axis += static_cast<std::int64_t>(rank);
  if (order.axes.of_target || order.axes.axes.size() != rank || axis < 0 || axis >= static_cast<std::int64_t>(rank))
    return axis;
  return order.axes.axes[static_cast<std::size_t>(axis)];
}

bool pads_with_zeros(const NetworkLayer& pad) {
  const auto mode = pad.hyper.find("mode");
  if (mode != pad.hyper.end() && mode->second != Hyper(std::string("constant"))) return false;
  const auto value = pad.hyper.find("value");
  return value == pad.hyper.end() || same_hyper(value->second, 0.0);
}

class Canonical {
 public:
  explicit Canonical(const HyperTask& task)
      : task_(task), layer_(task.network.layers[static_cast<std::size_t>(task.layer)]), hyper_(layer_.hyper) {}

  HyperMap make() {
    if (slides(layer_.type)) slide();
    fill_in();
    turn_axes();
    for (const std::string_view name : left_out) hyper_.erase(std::string(name));
    if (has_kernel(layer_.type)) hyper_.erase("kernel_shape");
    return std::move(hyper_);
  }

 private:
  template <class T>
  void preset(const std::string& name, T value) {
    hyper_.emplace(name, std::move(value));
  }

  [[nodiscard]] std::optional<Ints> kernel_sizes() const {
    if (const auto given = hyper_.find("kernel_shape"); given != hyper_.end()) return ints_of(given->second);
    const Parameter* kernel = parameter_of(layer_, "kernel");
    if (kernel == nullptr) return std::nullopt;
    const auto& dims = task_.network.values[static_cast<std::size_t>(kernel->value)].dims;
    Ints sizes;
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (i >= kernel->axes.size() ? i >= 2 : std::string_view("OI1").find(kernel->axes[i]) == std::string_view::npos)
        sizes.push_back(dims[i]);
    return sizes;
  }

  void slide() {
    const auto sizes = kernel_sizes();
    std::size_t rank = sizes ? sizes->size() : 0;
    if (rank == 0 && task_.input.size() > 2) rank = task_.input.size() - 2;
    preset("strides", Ints(rank, 1));
    preset("dilations", Ints(rank, 1));
    if (has_kernel(layer_.type)) preset("group", std::int64_t{1});
    if (layer_.type == "ConvTranspose") preset("output_padding", Ints(rank, 0));
    if (layer_.type == "MaxPool" || layer_.type == "AveragePool") preset("ceil_mode", std::int64_t{0});
    if (layer_.type == "AveragePool") preset("count_include_pad", std::int64_t{0});
    if (const auto given = hyper_.find("auto_pad"); given != hyper_.end()) {
      const std::string how =
          std::holds_alternative<std::string>(given->second) ? std::get<std::string>(given->second) : "";
      if (how.empty() || how == "NOTSET" || how == "VALID" || set_pads_of(how, sizes)) hyper_.erase("auto_pad");
      if (how == "VALID") hyper_["pads"] = Ints(2 * rank, 0);
    }
    preset("pads", Ints(2 * rank, 0));
    add_pads_before(rank);
  }

  /// SAME_UPPER, SAME_LOWER: as ONNX defines them. False where sizes are not known.
  bool set_pads_of(const std::string& how, const std::optional<Ints>& sizes) {
    const auto strides = ints_of(hyper_.at("strides")), dilations = ints_of(hyper_.at("dilations"));
    if (!sizes || task_.input.size() != sizes->size() + 2 || layer_.type == "ConvTranspose") return false;
    const std::size_t first = layer_.is_channels_last ? 1 : 2, rank = sizes->size();
    if (strides->size() != rank || dilations->size() != rank) return false;
    Ints pads(2 * rank, 0);
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t in = task_.input[first + i], stride = std::max<std::int64_t>((*strides)[i], 1);
      const std::int64_t reach = ((*sizes)[i] - 1) * (*dilations)[i] + 1;
      const std::int64_t all = std::max<std::int64_t>((((in + stride - 1) / stride) - 1) * stride + reach - in, 0);
      const std::int64_t less = all / 2;
      pads[i] = how == "SAME_LOWER" ? all - less : less;
      pads[rank + i] = all - pads[i];
    }
    hyper_["pads"] = std::move(pads);
    return true;
  }

  /// A Pad with zeros before it.
  void add_pads_before(std::size_t rank) {
    const auto front = pad_in_front(task_);
    auto own = ints_of(hyper_.at("pads"));
    if (!front || !own || own->size() != 2 * rank || front->around.size() != 2 * rank) return;
    for (std::size_t i = 0; i < own->size(); ++i) (*own)[i] += front->around[i];
    hyper_["pads"] = std::move(*own);
  }

  void fill_in() {
    const std::string& type = layer_.type;
    if (is_of(type, {"Softmax", "LogSoftmax", "Hardmax", "LayerNormalization"})) preset("axis", std::int64_t{-1});
    if (is_of(type, {"Gather", "Split"})) preset("axis", std::int64_t{0});
    if (type == "Softmax") preset("beta", 1.0);  // of formats that have it
    if (type == "Clip") {
      preset("min", -std::numeric_limits<double>::infinity());
      preset("max", std::numeric_limits<double>::infinity());
    }
    if (type == "Transpose" && !hyper_.contains("perm")) {
      Ints perm(task_.input.size());
      for (std::size_t i = 0; i < perm.size(); ++i) perm[i] = static_cast<std::int64_t>(perm.size() - 1 - i);
      if (!perm.empty()) preset("perm", std::move(perm));
    }
    if (type.starts_with("Reduce") && !hyper_.contains("axes") && !task_.input.empty()) {
      Ints axes(task_.input.size());
      for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
      preset("axes", std::move(axes));
    }
  }

  void turn_axes() {
    std::size_t rank = task_.input.size();
    if (rank == 0) return;
    if (layer_.type == "Unsqueeze") rank = task_.output.empty() ? rank : task_.output.size();
    for (const char* name : {"axis", "axes"}) {
      const auto given = hyper_.find(name);
      if (given == hyper_.end()) continue;
      auto axes = ints_of(given->second);
      if (!axes) continue;
      for (std::int64_t& axis : *axes) axis = source_axis(axis, task_.order, rank);
      if (layer_.type.starts_with("Reduce") || is_of(layer_.type, {"Squeeze", "Unsqueeze"})) std::ranges::sort(*axes);
      if (std::holds_alternative<std::int64_t>(given->second))
        given->second = axes->front();
      else
        given->second = std::move(*axes);
    }
  }

  const HyperTask& task_;
  const NetworkLayer& layer_;
  HyperMap hyper_;
};

std::optional<std::vector<double>> numbers_in(const Hyper& hyper) {
  if (const auto* list = std::get_if<std::vector<double>>(&hyper)) return *list;
  if (const auto* one = std::get_if<double>(&hyper)) return std::vector<double>{*one};
  if (const auto ints = ints_of(hyper)) return std::vector<double>(ints->begin(), ints->end());
  return std::nullopt;
}

bool same_number(double one, double other) {
  return one == other || std::abs(one - other) <= 1e-6 * std::max(std::abs(one), std::abs(other));
}

}  // namespace

HyperMap canonical_hyper(const HyperTask& task) { return Canonical(task).make(); }

std::optional<PadInFront> pad_in_front(const HyperTask& task) {
  const NetworkLayer& layer = task.network.layers[static_cast<std::size_t>(task.layer)];
  if (!has_kernel(layer.type) || layer.inputs.empty() || layer.inputs[0] < 0) return std::nullopt;
  const int maker = task.network.values[static_cast<std::size_t>(layer.inputs[0])].made_by;
  if (maker < 0) return std::nullopt;
  const NetworkLayer& pad = task.network.layers[static_cast<std::size_t>(maker)];
  const auto given = pad.hyper.find("pads");
  if (pad.type != "Pad" || given == pad.hyper.end() || !pads_with_zeros(pad)) return std::nullopt;
  const auto all = ints_of(given->second);
  if (!all || all->size() < 6 || all->size() % 2 != 0) return std::nullopt;
  PadInFront front{maker, *all, {}, layer.is_channels_last ? std::size_t{1} : std::size_t{2}};
  const std::size_t axes = all->size() / 2;
  for (const std::size_t side : {std::size_t{0}, axes})
    for (std::size_t i = 0; i + 2 < axes; ++i) front.around.push_back((*all)[side + front.first_axis + i]);
  return front;
}

bool same_hyper(const Hyper& one, const Hyper& other) {
  if (one == other) return true;
  const auto a = numbers_in(one), b = numbers_in(other);
  return a && b && std::ranges::equal(*a, *b, same_number);
}

std::string hyper_words(const Hyper& hyper) {
  const auto* real = std::get_if<double>(&hyper);
  if (real == nullptr || static_cast<double>(static_cast<float>(*real)) != *real) return to_string(hyper);
  return fmt::format("{}", static_cast<float>(*real));
}

Hyper hyper_in_target(const std::string& name, const Hyper& hyper, const HyperTask& target) {
  if ((name != "axis" && name != "axes") || target.order.axes.axes.size() != target.input.size()) return hyper;
  auto axes = ints_of(hyper);
  if (!axes) return hyper;
  for (std::int64_t& axis : *axes)
    for (std::size_t i = 0; i < target.input.size(); ++i)
      if (source_axis(static_cast<std::int64_t>(i), target.order, target.input.size()) == axis) {
        axis = static_cast<std::int64_t>(i);
        break;
      }
  if (std::holds_alternative<std::int64_t>(hyper)) return axes->front();
  return *axes;
}

}  // namespace culprit
