#include "cost/value_shape.h"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <limits>

namespace culprit {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 48;
constexpr int largest_rank = 64;

/// More elements steer nothing.
constexpr std::int64_t most_steering = 1024;

}  // namespace

SeenValues seen_values(const std::vector<NamedTensor>& sample) {
  SeenValues seen;
  for (const auto& tensor : sample) {
    if (!tensor.part.empty()) continue;
    const DType type = tensor.value.dtype();
    const bool steers = (is_integer(type) || type == DType::boolean) && tensor.value.count() <= most_steering;
    seen.insert_or_assign(tensor.name, SeenValue{type, tensor.value.shape(), steers ? tensor.value : Tensor()});
  }
  return seen;
}

double ValueShape::dim(int axis) const {
  const int counted = axis < 0 ? axis + rank() : axis;
  if (!dims || counted < 0 || counted >= rank()) return not_known;
  const std::int64_t size = (*dims)[static_cast<std::size_t>(counted)];
  return size < 0 ? not_known : static_cast<double>(size);
}

double ValueShape::product(int from, int to) const {
  if (!dims) return not_known;
  const int begin = from < 0 ? from + rank() : from, end = to < 0 ? to + rank() : to;
  if (begin < 0 || end > rank() || begin > end) return not_known;
  double all = 1;
  for (int axis = begin; axis < end; ++axis) all *= dim(axis);
  return all;
}

double ValueShape::bytes() const {
  const auto bits = static_cast<double>(bits_of(dtype));
  return bits == 0 ? not_known : std::ceil(count() * bits / 8);
}

ValueShape value_shape(const std::string& name, const onnx::TypeProto& type) {
  ValueShape value{name};
  if (!type.has_tensor_type()) return value;
  const auto& tensor = type.tensor_type();
  value.dtype = dtype_from_onnx(tensor.elem_type()).value_or(DType::undefined);
  if (!tensor.has_shape() || tensor.shape().dim_size() > largest_rank) return value;
  value.dims.emplace();
  for (const auto& dim : tensor.shape().dim()) {
    const bool is_size = dim.has_dim_value() && dim.dim_value() >= 0 && dim.dim_value() <= largest_size;
    value.dims->push_back(is_size ? dim.dim_value() : -1);
  }
  return value;
}

}  // namespace culprit
