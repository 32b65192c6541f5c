#pragma once
// Does a value fit a declaration?

#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {

/// Same type, same rank, same sizes where both are known. The error says what was found and what the model wants;
/// `where` comes first in it.
Result<void> expect_fit(const ValueInfo& declared, const Tensor& value, const std::string& where);

/// Does a value of this type and shape fit as well? True for what is no plain tensor.
bool may_fit(const ValueInfo& declared, DType dtype, const Shape& shape);

/// Names of TensorFlow count with and without their ":0": a signature says "mask", the graph "mask:0".
bool is_name_of(const ValueInfo& declared, const std::string& name);
/// The declaration of an input, with or without a default, or nullptr. The very name comes first.
const ValueInfo* find_input(const Interface& interface, const std::string& name);
/// ErrorKind `kind`: "<where>: the model has no input 'x'", with the closest name or all of them as the hint.
tl::unexpected<Error> no_such_input(ErrorKind kind, const std::string& where, const std::string& name,
                                    const Interface& interface);

/// "float32[1,3]"
std::string type_text(const Tensor& value);
std::string type_text(DType dtype, const Shape& shape);

}  // namespace culprit
