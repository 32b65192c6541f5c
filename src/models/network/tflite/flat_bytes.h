#pragma once
// Reading and writing numbers of a FlatBuffers file at any place: outside of the bytes there are zeros, and a write
// does nothing, so that no mistake of ours and no file can reach other memory. Private to this room.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "network/tflite/flat_schema.h"

namespace culprit {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "FlatBuffers are little-endian");

struct FlatBytes {
  std::span<const std::byte> bytes;

  [[nodiscard]] bool holds(std::size_t at, std::size_t count) const {
    return at <= bytes.size() && count <= bytes.size() - at;
  }
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    T value{};
    if (holds(at, sizeof(T))) std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
  }
  /// Tells where the offset that stands at `at` leads.
  [[nodiscard]] std::size_t target(std::size_t at) const { return at + get<std::uint32_t>(at); }
  [[nodiscard]] std::size_t vtable(std::size_t table) const {
    return static_cast<std::size_t>(static_cast<std::int64_t>(table) - get<std::int32_t>(table));
  }
  /// Tells where a field stands; 0 where the table does not have it.
  [[nodiscard]] std::size_t field(std::size_t table, std::size_t number) const {
    const auto slots = vtable(table);
    if (4 + 2 * number + 2 > get<std::uint16_t>(slots)) return 0;
    const auto offset = get<std::uint16_t>(slots + 4 + 2 * number);
    return offset == 0 ? 0 : table + offset;
  }
};

template <class T>
void flat_put(std::span<std::byte> bytes, std::size_t at, T value) {
  if (at <= bytes.size() && sizeof(T) <= bytes.size() - at) std::memcpy(bytes.data() + at, &value, sizeof(T));
}

}  // namespace culprit
