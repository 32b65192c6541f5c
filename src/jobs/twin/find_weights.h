#pragma once
// Which constants of a model are weights, and what each is to the operators that take it.

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

/// What a weight does. `kernel`: it is multiplied and summed (Conv, Gemm, MatMul, recurrent nets); `table`: rows of it
/// are looked up; `shift` is added, `scale` multiplied element by element; `mean` and `variance` normalize a batch;
/// `slope` is PRelu's.
enum class Role { kernel, table, scale, shift, mean, variance, slope };

struct Weight {
  std::size_t graph = 0;  ///< the graph that makes it, counted as for_each_graph visits them
  std::string name;       ///< of its value there
  Role role = Role::kernel;
  DType dtype = DType::f32;
  Shape shape;
  std::int64_t fan_in = 1;   ///< of a kernel: how many products make one element of the output, as far as it is known
  bool is_constant = false;  ///< all elements are the same number
  bool is_computed = false;  ///< made by a Constant or ConstantOfShape node; else an initializer
};

/// A place in the top graph where the scale of what comes out is set by a weight: a node with a kernel, or a
/// BatchNormalization, whose mean and variance say what scale it takes.
struct Layer {
  std::string output;          ///< the node's first, by which it is found
  std::string kernel;          ///< "" for a normalization
  std::string bias;            ///< "" where there is none, or where others use it as well
  std::string mean, variance;  ///< of a normalization
  bool is_first = true;        ///< no layer before it has the same kernel (or variance)
  [[nodiscard]] bool normalizes() const { return kernel.empty(); }
};

struct WeightMap {
  std::vector<Weight> weights;
  std::vector<Layer> layers;    ///< in the order of the nodes
  std::int64_t left_alone = 0;  ///< floating-point constants that are no weights
};

/// The floating-point constants (initializers, Constant and ConstantOfShape nodes; subgraphs included) that operators
/// of ONNX's own domain take as weights, also through operators that only move elements. No weights are: single
/// elements; what feeds any other operator or input as well; operands of arithmetic among constants; masks (a shift
/// with an element that is not finite or beyond 1000); what functions of the model hold; external and unreadable
/// tensors. A ConstantOfShape is looked at only where its shape is a constant, and no size is believed: `shape` may be
/// huge.
WeightMap find_weights(const onnx::ModelProto& model);

/// Is most of what kernels and tables hold (by elements) one and the same number throughout a tensor, so that outputs
/// say nothing? False for a model without kernels and tables.
bool has_constant_weights(const WeightMap& map);

}  // namespace culprit
