// LSTM, GRU and SimpleRNN of Keras in ONNX's form: all gates of all directions in one tensor.
//
// Keras: kernel [I, gates x H], recurrent kernel [H, gates x H]; bias [gates x H], of a GRU with reset_after [2, gates
// x H]. LSTM: i, f, c, o; GRU: z, r, h. ONNX: W [directions, gates x H, I], R [directions, gates x H, H], B
// [directions, 2 x gates x H]. LSTM: i, o, f, c; GRU: z, r, h.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::byte>;

struct RecurrentKind {
  std::string type;                ///< of ONNX
  std::vector<std::size_t> gates;  ///< ONNX's, as numbers of Keras'
};

std::optional<RecurrentKind> kind_of(const std::string& class_name) {
  if (class_name == "LSTM") return RecurrentKind{"LSTM", {0, 3, 1, 2}};
  if (class_name == "GRU") return RecurrentKind{"GRU", {0, 1, 2}};
  if (class_name == "SimpleRNN") return RecurrentKind{"RNN", {0}};
  return std::nullopt;
}

struct Direction {
  const KerasWeight *kernel = nullptr, *recurrence = nullptr, *bias = nullptr;
};

/// [rows, gates x H] as [gates x H, rows], the gates in ONNX's order.
void add_gates(Bytes& into, const Tensor& from, const std::vector<std::size_t>& gates, std::size_t rows) {
  const std::size_t columns = static_cast<std::size_t>(from.count()) / std::max<std::size_t>(rows, 1);
  const std::size_t size = bits_of(from.dtype()) / 8, units = columns / gates.size();
  std::size_t at = into.size();
  into.resize(at + static_cast<std::size_t>(from.count()) * size);
  for (const std::size_t gate : gates)
    for (std::size_t unit = 0; unit < units; ++unit)
      for (std::size_t row = 0; row < rows; ++row, at += size)
        std::memcpy(into.data() + at, from.bytes().data() + (row * columns + gate * units + unit) * size, size);
}

class RecurrentWriter {
 public:
  RecurrentWriter(KerasLayerWriter& work, RecurrentKind kind, std::vector<Direction> directions)
      : work_(work), kind_(std::move(kind)), directions_(std::move(directions)) {}

  Result<void> write(KerasHypers hyper) {
    if (auto ok = check(); !ok) return ok;
    auto kernel = stacked(&Direction::kernel), recurrence = stacked(&Direction::recurrence), bias = biases();
    if (!kernel) return tl::unexpected(kernel.error());
    if (!recurrence) return tl::unexpected(recurrence.error());
    if (!bias) return tl::unexpected(bias.error());
    const Direction& first = directions_.front();
    std::vector<TakenValue> taken{
        {work_.input()},
        work_.made(*first.kernel, "kernel", std::move(*kernel), "kernel", ""),
        work_.made(*first.recurrence, "recurrent_kernel", std::move(*recurrence), "recurrence", "")};
    if (first.bias != nullptr) taken.push_back(work_.made(*first.bias, "bias", std::move(*bias), "bias", ""));
    hyper["hidden_size"] = units_;
    work_.add(kind_.type, taken, std::move(hyper));
    return {};
  }

 private:
  Result<void> check() {
    const DType type = directions_.front().kernel->tensor.dtype();
    if (directions_.front().recurrence->tensor.shape().empty() || bits_of(type) < 8)
      return tl::unexpected(work_.wrong("has a weight of a wrong shape or type"));
    units_ = directions_.front().recurrence->tensor.shape()[0];
    inputs_ = directions_.front().kernel->tensor.shape().empty() ? 0 : directions_.front().kernel->tensor.shape()[0];
    const auto gates = std::ssize(kind_.gates);
    if (units_ <= 0 || inputs_ <= 0 || units_ > INT32_MAX) return tl::unexpected(work_.wrong("has an empty weight"));
    for (const Direction& one : directions_) {
      const bool fits = one.kernel->tensor.shape() == Shape{inputs_, gates * units_} &&
                        one.recurrence->tensor.shape() == Shape{units_, gates * units_};
      const bool has_bias_as_first = (one.bias == nullptr) == (directions_.front().bias == nullptr);
      const bool bias_fits = one.bias == nullptr || one.bias->tensor.shape() == Shape{gates * units_} ||
                             one.bias->tensor.shape() == Shape{2, gates * units_};
      if (!fits || !has_bias_as_first || !bias_fits)
        return tl::unexpected(work_.wrong("has weights whose shapes do not fit each other"));
      for (const KerasWeight* weight : {one.kernel, one.recurrence, one.bias})
        if (weight != nullptr && weight->tensor.dtype() != type)
          return tl::unexpected(work_.wrong("has weights of different types"));
    }
    return {};
  }

  Result<Tensor> stacked(const KerasWeight* Direction::*which) const {
    Bytes bytes;
    const std::int64_t rows = (directions_.front().*which)->tensor.shape()[0];
    for (const Direction& one : directions_)
      add_gates(bytes, (one.*which)->tensor, kind_.gates, static_cast<std::size_t>(rows));
    return Tensor::from_bytes((directions_.front().*which)->tensor.dtype(),
                              {std::ssize(directions_), std::ssize(kind_.gates) * units_, rows}, std::move(bytes));
  }

  Result<Tensor> biases() const {
    if (directions_.front().bias == nullptr) return Tensor();
    Bytes bytes;
    for (const Direction& one : directions_) {
      const Tensor& bias = one.bias->tensor;
      const std::size_t half = static_cast<std::size_t>(std::ssize(kind_.gates) * units_) * bits_of(bias.dtype()) / 8;
      if (bias.shape().size() == 1) {
        add_gates(bytes, bias, kind_.gates, 1);
        bytes.resize(bytes.size() + half);  // Keras has none of the recurrence
        continue;
      }
      for (const std::size_t row : {0, 1}) {
        auto part = Tensor::view(bias.dtype(), {1, bias.shape()[1]}, bias.bytes().subspan(row * half, half), nullptr);
        if (!part) return part;
        add_gates(bytes, *part, kind_.gates, 1);
      }
    }
    return Tensor::from_bytes(directions_.front().bias->tensor.dtype(),
                              {std::ssize(directions_), 2 * std::ssize(kind_.gates) * units_}, std::move(bytes));
  }

  KerasLayerWriter& work_;
  RecurrentKind kind_;
  std::vector<Direction> directions_;
  std::int64_t units_ = 0, inputs_ = 0;
};

/// What differs from what Keras does when nobody says.
KerasHypers recurrent_hyper(const json& config, const std::string& type, const std::string& direction) {
  KerasHypers hyper{{"direction", direction}};
  if (type == "GRU") hyper["linear_before_reset"] = std::int64_t{flag_in(config, "reset_after", true)};
  const std::string inner = activation_in(config), gates = activation_in(config, "recurrent_activation");
  if (!inner.empty() && inner != "tanh") hyper["activation"] = inner;
  if (!gates.empty() && gates != "sigmoid") hyper["recurrent_activation"] = gates;
  return hyper;
}

}  // namespace

Result<bool> write_recurrent(KerasLayerWriter& work, const std::string& kind) {
  const bool is_both = kind == "Bidirectional";
  const json& outer = work.config();
  if (is_both && (!outer.contains("layer") || !outer["layer"].is_object())) return false;
  const bool has_other = is_both && outer.contains("backward_layer") &&
                         word_in(outer["backward_layer"], "class_name") != word_in(outer["layer"], "class_name");
  if (has_other) return false;
  const auto recurrent = kind_of(is_both ? word_in(outer["layer"], "class_name") : kind);
  if (!recurrent) return false;
  const json& config = is_both && outer["layer"].contains("config") ? outer["layer"]["config"] : outer;
  std::vector<Direction> directions;
  for (const char* begin : {"forward/", "backward/"}) {
    const std::string role = is_both ? begin : "";
    directions.push_back(
        {work.weight(role + "kernel"), work.weight(role + "recurrent_kernel"), work.weight(role + "bias")});
    if (directions.back().kernel == nullptr || directions.back().recurrence == nullptr)
      return tl::unexpected(work.wrong("lacks weights"));
    if (!is_both) break;
  }
  const bool is_backwards = flag_in(config, "go_backwards", false);
  KerasHypers hyper = recurrent_hyper(config, recurrent->type,
                                      is_both        ? "bidirectional"
                                      : is_backwards ? "reverse"
                                                     : "forward");
  if (is_both && word_in(outer, "merge_mode", "concat") != "concat") hyper["merge_mode"] = word_in(outer, "merge_mode");
  if (auto ok = RecurrentWriter(work, *recurrent, std::move(directions)).write(std::move(hyper)); !ok)
    return tl::unexpected(ok.error());
  return true;
}

}  // namespace culprit
