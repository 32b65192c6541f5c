#include "tensor/pack_pieces.h"

#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

// magic, { header, padding, elements, padding }..., index, footer. A header is: length of the name, name, type, rank,
// dims, bytes of elements, 1 + length of the part, part. The index is each header's position. The footer is: position
// of the index, tensors, closing magic. Every number is 8 bytes. A tensor begins where the one before it ends, so that
// none can overlap. Positions count from the opening magic.

/// Strings follow each other, each preceded by its length.
std::string packed(std::span<const std::string> strings) {
  std::string out;
  for (const auto& text : strings) {
    put_number(out, text.size());
    out += text;
  }
  return out;
}

void put_tensor(Pieces& out, const NamedTensor& tensor) {
  const Tensor& value = tensor.value;
  const bool is_text = value.dtype() == DType::string;
  std::string texts = packed(value.strings());
  std::string header;
  put_number(header, tensor.name.size());
  header += tensor.name;
  put_number(header, static_cast<std::uint64_t>(value.dtype()));
  put_number(header, value.shape().size());
  for (const auto dim : value.shape()) put_number(header, static_cast<std::uint64_t>(dim));
  put_number(header, is_text ? texts.size() : value.bytes().size());
  put_number(header, tensor.part.size() + 1);  // never 0, which padding is
  header += tensor.part;
  out.own(std::move(header));
  out.align();
  if (is_text) {
    out.own(std::move(texts));
  } else {
    out.view({reinterpret_cast<const char*>(value.bytes().data()), value.bytes().size()});
  }
  out.align();
}

}  // namespace

void put_number(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(number >> shift);
}

std::uint64_t number_in(std::span<const std::byte> bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; const std::byte byte : bytes) {
    number |= std::to_integer<std::uint64_t>(byte) << shift;
    shift += 8;
  }
  return number;
}

void Pieces::align() { own(std::string(padding_after(position_), '\0')); }

Result<void> put_pack(Pieces& out, std::span<const NamedTensor> tensors) {
  const std::uint64_t start = out.position();
  out.view(pack_opening);
  out.align();
  std::string end;
  for (const auto& tensor : tensors) {
    if (tensor.value.dtype() == DType::undefined) {
      return fail(ErrorKind::internal,
                  "the tensor \"" + printable(tensor.name) + "\" has no type and cannot be packed");
    }
    put_number(end, out.position() - start);
    put_tensor(out, tensor);
  }
  put_number(end, out.position() - start);
  put_number(end, tensors.size());
  out.own(std::move(end));
  out.view(pack_closing);
  return {};
}

}  // namespace culprit
