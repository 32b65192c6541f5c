#pragma once
// What operators do to rounding: which of them round, which are exact, and which only move what is there.

#include <optional>
#include <string_view>

#include "tensor/dtype.h"

namespace onnx {
class NodeProto;
}

namespace culprit {

/// The order of what these add up is theirs to choose. Their two operands come first.
bool is_product(std::string_view op);
bool is_sum(std::string_view op);
bool is_recurrent(std::string_view op);
/// May the state of a recurrent node be whole numbers from step to step? It may where all its activations are Relu.
bool keeps_round_numbers(const onnx::NodeProto& node);
/// These compute each element by itself, and round.
bool is_function(std::string_view op);
/// Any of those above, and what scatters with a sum or a product.
bool computes(const onnx::NodeProto& node);
/// Its results are exact where the numbers are round enough: sums, products and the like, not functions such as Exp.
bool is_arithmetic(std::string_view op);
/// A Fourier transform: each number that comes out is a sum of all that went in.
bool is_transform(std::string_view op);

/// These move elements, and change none.
bool only_moves(std::string_view op);
/// Their results do not hang on what the elements are.
bool asks_for_shapes(std::string_view op);
/// The operator looks at shapes alone. Constant and Range do not: they are made of elements.
bool is_made_of_shapes(std::string_view op);
bool gives_whole_numbers(std::string_view op);
/// These make whole numbers of whole numbers.
bool passes_whole_numbers_on(std::string_view op);

/// The type that a Cast casts to; nothing for other nodes, and types that are not known.
std::optional<DType> type_cast_to(const onnx::NodeProto& node);
/// It casts to integers, bools or texts: a number a hair below 3 becomes 2.
bool casts_to_exact(const onnx::NodeProto& node);
/// It casts to a float whose elements can be moved (is_nudgeable).
bool casts_to_float(const onnx::NodeProto& node);

}  // namespace culprit
