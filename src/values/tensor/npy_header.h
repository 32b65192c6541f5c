#pragma once
// The dictionary at the head of an .npy file: a Python literal, of which this reads what numpy writes. Private to this
// room.

#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

struct NpyHeader {
  char kind = 0;              ///< numpy's letter: b i u f c, U and S for text
  std::size_t item_size = 0;  ///< bytes of one element
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
  std::string descr;       ///< "<f4", for messages
  std::size_t length = 0;  ///< bytes of the file before the elements
};

Result<NpyHeader> parse_npy_header(std::string_view file);

}  // namespace culprit
