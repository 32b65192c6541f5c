#pragma once
// NumPy's files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, versions 1 to 3. Fortran order
// is turned into C order, big-endian into little. Object arrays (pickles) are refused: they are code.

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "tensor/tensor.h"

namespace culprit {

Result<Tensor> read_npy(const std::filesystem::path& path);
Result<Tensor> parse_npy(std::string_view bytes, std::string_view where);
/// At most 4 GiB inflated. Members keep their order and lose ".npy". Stored and deflated members; sizes are checked
/// before they are believed.
Result<std::vector<NamedTensor>> read_npz(const std::filesystem::path& path);
Result<std::vector<NamedTensor>> parse_npz(std::string_view bytes, std::string_view where);
/// ErrorKind::unsupported for types that NumPy lacks.
Result<void> write_npy(const std::filesystem::path& path, const Tensor& tensor,
                       Durability durability = Durability::flushed);
/// Stored, not deflated, in this order: the same arrays make the same bytes. Errors as of write_npy.
Result<void> write_npz(const std::filesystem::path& path, std::span<const NamedTensor> arrays);

}  // namespace culprit
