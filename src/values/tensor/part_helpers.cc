#include "tensor/part_helpers.h"

#include "base/text.h"

namespace culprit {
namespace {

/// Element `i` of a vector, as bytes; of types of whole bytes.
std::span<const std::byte> element(const Tensor& tensor, std::size_t i) {
  const std::size_t width = bits_of(tensor.dtype()) / 8;
  return tensor.bytes().subspan(i * width, width);
}

}  // namespace

std::string called(const std::string& name) { return "'" + printable(name, 100) + "'"; }

tl::unexpected<Error> broken(const std::string& name, const std::string& what) {
  return fail(ErrorKind::bad_input, called(name) + " " + what);
}

std::size_t elements_in(const Tensor& tensor) { return static_cast<std::size_t>(tensor.count()); }

Result<Tensor> picked(const Tensor& tensor, const std::vector<std::size_t>& order, Shape shape) {
  if (tensor.dtype() == DType::string) {
    std::vector<std::string> strings;
    strings.reserve(order.size());
    for (const std::size_t i : order) strings.push_back(tensor.strings()[i]);
    return Tensor::from_strings(std::move(shape), std::move(strings));
  }
  std::vector<std::byte> bytes;
  for (const std::size_t i : order) {
    const auto one = element(tensor, i);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return Tensor::from_bytes(tensor.dtype(), std::move(shape), std::move(bytes));
}

}  // namespace culprit
