#pragma once
// The elements of an .npy file behind its header. Private to this room.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/npy_header.h"
#include "tensor/tensor.h"

namespace culprit {

struct NumpyType {
  std::string_view descr;  ///< without the byte order
  DType type;
};
constexpr std::array<NumpyType, 14> numpy_types{{{"b1", DType::boolean},
                                                 {"i1", DType::i8},
                                                 {"i2", DType::i16},
                                                 {"i4", DType::i32},
                                                 {"i8", DType::i64},
                                                 {"u1", DType::u8},
                                                 {"u2", DType::u16},
                                                 {"u4", DType::u32},
                                                 {"u8", DType::u64},
                                                 {"f2", DType::f16},
                                                 {"f4", DType::f32},
                                                 {"f8", DType::f64},
                                                 {"c8", DType::c64},
                                                 {"c16", DType::c128}}};

/// All that stands before the elements of an .npy file. ErrorKind::unsupported for types that NumPy lacks.
Result<std::string> npy_head(const Tensor& tensor, std::string_view where);
/// "cannot read x.npy as a NumPy array: ...", of what is wrong with it.
tl::unexpected<Error> no_array(std::string_view where, const Error& error);
/// What elements of this header become; an error for a type that ONNX lacks.
Result<DType> element_type(const NpyHeader& header);
/// Makes sure that just the elements follow which the header speaks of, before any memory is taken for them.
Result<void> expect_elements(const NpyHeader& header, std::uint64_t present);
/// Elements of known size and number, in numpy's order and endianness -> ours.
Result<Tensor> to_tensor(const NpyHeader& header, std::vector<std::byte> bytes);

}  // namespace culprit
