#pragma once
// A pack as the pieces of a file, before it is written. The layout is told in pack_pieces.cc. Private to this room.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

constexpr std::string_view pack_opening = "CULPACK2";
constexpr std::string_view pack_closing = "CULPACKE";
constexpr std::uint64_t pack_alignment = 64;
constexpr std::uint64_t pack_footer_size = 24;

/// Bytes up to the next multiple of the alignment.
constexpr std::uint64_t padding_after(std::uint64_t position) {
  return (pack_alignment - position % pack_alignment) % pack_alignment;
}

/// Appends 8 bytes, little-endian.
void put_number(std::string& out, std::uint64_t number);
/// The number that these bytes are, little-endian; 0 where there are none.
std::uint64_t number_in(std::span<const std::byte> bytes);

/// The pieces of a file in order. What it owns stays where it is; elements are views of the tensors'.
class Pieces {
 public:
  void own(std::string bytes) { view(owned_.emplace_back(std::move(bytes))); }
  void view(std::string_view bytes) {
    position_ += bytes.size();
    pieces_.push_back(bytes);
  }
  void align();
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::span<const std::string_view> all() const { return pieces_; }

 private:
  std::deque<std::string> owned_;
  std::vector<std::string_view> pieces_;
  std::uint64_t position_ = 0;
};

/// Appends a pack; the tensors must outlive the pieces. ErrorKind::internal where one has no type.
Result<void> put_pack(Pieces& out, std::span<const NamedTensor> tensors);

}  // namespace culprit
