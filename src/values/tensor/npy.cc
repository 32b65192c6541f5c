#include "tensor/npy.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "tensor/npy_elements.h"

namespace culprit {
namespace {

Result<Tensor> parse(std::string_view file) {
  const auto header = parse_npy_header(file);
  if (!header) return tl::unexpected(header.error());
  if (auto type = element_type(*header); !type) return tl::unexpected(type.error());
  const std::string_view data = file.substr(header->length);
  if (auto fits = expect_elements(*header, data.size()); !fits) return tl::unexpected(fits.error());
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  return to_tensor(*header, {first, first + data.size()});
}

}  // namespace

Result<Tensor> parse_npy(std::string_view bytes, std::string_view where) {
  auto tensor = parse(bytes);
  if (tensor) return tensor;
  return no_array(where, tensor.error());
}

Result<Tensor> read_npy(const std::filesystem::path& path) {
  auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return parse_npy({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, path.native());
}

Result<std::string> npy_head(const Tensor& tensor, std::string_view where) {
  const auto known = std::ranges::find(numpy_types, tensor.dtype(), &NumpyType::type);
  if (known == numpy_types.end()) {
    return fail(ErrorKind::unsupported,
                "cannot write " + printable(where) + ": NumPy has no type for " + std::string(name_of(tensor.dtype())),
                "convert it to float32 first, or write it as .pb");
  }
  std::string shape;
  for (const auto dim : tensor.shape()) shape += std::to_string(dim) + ", ";
  const char order = bits_of(tensor.dtype()) == 8 ? '|' : '<';
  std::string text = "{'descr': '" + std::string(1, order) + std::string(known->descr) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t prefix = 12;  // magic, version 2.0, four bytes of length
  text.append(64 - (prefix + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string head("\x93NUMPY\x02\x00", 8);
  for (int shift = 0; shift < 32; shift += 8) head += static_cast<char>(text.size() >> shift);
  return head + text;
}

Result<void> write_npy(const std::filesystem::path& path, const Tensor& tensor, Durability durability) {
  const auto head = npy_head(tensor, path.native());
  if (!head) return tl::unexpected(head.error());
  const std::string_view elements(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  const std::array<std::string_view, 2> pieces{*head, elements};
  return write_pieces_atomic(path, pieces, durability);
}

}  // namespace culprit
