#pragma once
// What taking values apart and putting them together have in common. Private to this room.

#include <string>
#include <vector>

#include "tensor/structured_value.h"

namespace culprit {

std::string called(const std::string& name);  ///< the value's name in messages
/// "'x' <what>", ErrorKind::bad_input.
tl::unexpected<Error> broken(const std::string& name, const std::string& what);

std::size_t elements_in(const Tensor& tensor);
/// These elements of a tensor, in this order, as a tensor of this shape; of types of whole bytes.
Result<Tensor> picked(const Tensor& tensor, const std::vector<std::size_t>& order, Shape shape);

}  // namespace culprit
