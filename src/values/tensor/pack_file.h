#pragma once
// A pack is a file of named tensors: how inputs go to workers and outputs come back. Written with write(), so that a
// full disk is an error, and mapped read-only by whoever needs it. Layout: "CULPACK2", then for each tensor a header
// (name, dtype, dims, byte count, part) and its bytes aligned to 64, then an index at the end; all sizes little-endian
// and checked against the file.

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "tensor/tensor.h"

namespace culprit {

/// ErrorKind::interrupted, and nothing left behind, where it was stopped.
Result<void> write_pack(const std::filesystem::path& path, std::span<const NamedTensor> tensors, const Stop& stop = {});
/// The tensors view the mapping and keep it alive. A truncated or lying file is ErrorKind::bad_input.
Result<std::vector<NamedTensor>> read_pack(const std::filesystem::path& path);
/// The values that stand at these places, in this order, each with all its parts (tensor/structured_value.h: a sequence
/// has several); all as they stand where no place is named. ErrorKind::bad_input where there is no such place.
Result<std::vector<NamedTensor>> read_pack_in_order(const std::filesystem::path& path,
                                                    const std::vector<std::size_t>& places);
/// The values at these places of a pack that was read; `where` is what messages call it.
Result<std::vector<NamedTensor>> values_in_order(std::vector<NamedTensor> tensors,
                                                 const std::vector<std::size_t>& places, std::string_view where);
/// As read_pack, for bytes in memory, which `owner` keeps alive; `where` is what messages call them.
Result<std::vector<NamedTensor>> parse_pack(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                                            std::string_view where);

}  // namespace culprit
