#pragma once
// A kernel with what converters fold into it: the bias, additions and factors of constants, and a normalization behind
// it.

#include <optional>
#include <string>
#include <vector>

#include "conversion/map/parameter_numbers.h"

namespace culprit {

/// The kernel of one layer, O times its factors, and the bias.
struct KernelUnit {
  int layer = -1;
  int kernel_value = -1;
  ParameterNumbers kernel;                              ///< as it is stored
  std::vector<double> factors;                          ///< by slice of O
  std::vector<double> bias;                             ///< by slice of O; empty: none
  std::vector<int> layers;                              ///< the kernel's, and those that are folded so far
  std::vector<int> kernel_parameters, bias_parameters;  ///< values
  std::vector<ReplacedParameter> kernel_stands_for, bias_stands_for;
  std::vector<FoldedPart> parts;  ///< all that was folded so far, in the order of the layers
  int output = -1;                ///< the value that the last of `layers` makes
};

/// Layers with a constant kernel whose letters tell O.
std::vector<KernelUnit> kernel_units(const Network& network, const ComputedConstants& computed);

/// Kernels and biases with all that a converter may have folded into them: each stage of each unit.
void add_folded(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed);

/// Each with what an Add of a constant right behind it adds to the bias, if there is one.
std::vector<KernelUnit> with_additions(const Network& network, const ComputedConstants& computed,
                                       std::vector<KernelUnit> units);

/// The kernel times its factors.
ParameterNumbers folded_kernel(const KernelUnit& unit);

}  // namespace culprit
