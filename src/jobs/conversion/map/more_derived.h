#pragma once
// What converters make of parameters beside folded kernels (map/kernel_units.h). Each adds to `found`.

#include <optional>
#include <vector>

#include "conversion/map/derived_parameters.h"

namespace culprit {

/// A normalization alone, as a multiplication and an addition: scale / sqrt(variance + epsilon), and bias - mean x
/// that.
void add_normalizations(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed);

/// Slopes of PRelu with the other sign: converters make max(x, 0) + slope x min(x, 0) of it.
void add_slopes(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed);

/// LSTM, GRU: each direction alone, gates in the orders of other frameworks, both kernels as one, both biases as one or
/// as their sum.
void add_recurrent(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed);

/// Kernels and biases of up to 4 layers that take the same value, one behind the other along O; and the equal parts of
/// one whose output is cut (query, key and value of attention).
void add_stacks(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed);

/// scale / sqrt(variance + epsilon) of a BatchNormalization, and bias - mean x that. nullopt: not all four are
/// constants.
struct NormalizationFactors {
  std::vector<double> factor, shift;
  double epsilon = 0;
  int scale = -1, bias = -1, mean = -1, variance = -1;  ///< values
};
std::optional<NormalizationFactors> normalization_factors(const Network& network, int layer,
                                                          const ComputedConstants& computed);

}  // namespace culprit
