#pragma once
// What is known of a model's outputs before it runs, and their numbers after.

#include <span>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

struct OutputFacts {
  std::string name;
  DType type = DType::undefined;
  Shape shape;  ///< -1: not known beforehand
};

/// Of a sample that runs in steps the outputs in `fed_back` are states: only their names are told, so no task reads
/// them.
std::vector<OutputFacts> facts_of(std::span<const NamedTensor> outputs, const std::vector<std::string>& fed_back = {});
/// "'boxes' float32[1,?,4], 'scores' float32[1,?,2], 'hn' (fed back)", or "no outputs".
std::string text_of(std::span<const OutputFacts> outputs);
/// Is the dimension `wanted`, or may it be?
bool may_be(std::int64_t dimension, std::int64_t wanted);
/// Does the name hold one of these words, in either case?
bool names_one_of(const std::string& name, std::span<const std::string> words);

/// All elements, as Tensor::number gives them.
std::vector<double> numbers_of(const Tensor& tensor);

}  // namespace culprit
