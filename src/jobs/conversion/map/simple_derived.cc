#include <fmt/format.h>

#include <cmath>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/more_derived.h"
#include "conversion/map/parameter_numbers.h"

namespace culprit {
namespace {

std::string of_layer(const NetworkLayer& layer) { return layer.type + " '" + printable(layer.name) + "'"; }

double epsilon_of(const NetworkLayer& layer) {
  const auto found = layer.hyper.find("epsilon");
  const auto* epsilon = found == layer.hyper.end() ? nullptr : std::get_if<double>(&found->second);
  return epsilon == nullptr ? 1e-5 : *epsilon;  // ONNX's preset
}

}  // namespace

std::optional<NormalizationFactors> normalization_factors(const Network& network, int layer,
                                                          const ComputedConstants& computed) {
  const NetworkLayer& normalization = network.layers[as_index(layer)];
  if (normalization.inputs.size() < 5) return std::nullopt;
  std::vector<std::vector<float>> of;
  for (std::size_t at = 1; at < 5; ++at) {
    auto numbers = numbers_of_constant(network, normalization.inputs[at], computed);
    if (!numbers || (!of.empty() && numbers->numbers.size() != of[0].size())) return std::nullopt;
    of.push_back(std::move(numbers->numbers));
  }
  NormalizationFactors made;
  const double epsilon = epsilon_of(normalization);
  for (std::size_t i = 0; i < of[0].size(); ++i) {
    const double factor = static_cast<double>(of[0][i]) / std::sqrt(static_cast<double>(of[3][i]) + epsilon);
    made.factor.push_back(factor);
    made.shift.push_back(static_cast<double>(of[1][i]) - static_cast<double>(of[2][i]) * factor);
  }
  made.epsilon = epsilon;
  made.scale = normalization.inputs[1];
  made.bias = normalization.inputs[2];
  made.mean = normalization.inputs[3];
  made.variance = normalization.inputs[4];
  return made;
}

void add_normalizations(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const NetworkLayer& layer = network.layers[i];
    const int number = static_cast<int>(i);
    if (layer.type != "BatchNormalization") continue;
    const auto by = normalization_factors(network, number, computed);
    if (!by) continue;
    const auto add = [&](const std::vector<double>& numbers, const char* role, const char* what,
                         const std::vector<int>& parameters, const std::vector<int>& replaced) {
      DerivedTensor made{
          {network.values[as_index(replaced[0])].name, {std::ssize(numbers)}, {numbers.begin(), numbers.end()}, number},
          parameters,
          {number},
          role,
          "C",
          fmt::format("{} of {}", what, of_layer(layer))};
      for (const int value : replaced) made.stands_for.push_back({number, value});
      found.push_back(std::move(made));
    };
    add(by->factor, "scale", "scale / sqrt(variance + epsilon)", {by->scale, by->variance}, {by->scale, by->variance});
    add(by->shift, "bias", "bias - mean x scale / sqrt(variance + epsilon)",
        {by->bias, by->mean, by->scale, by->variance}, {by->bias, by->mean});
  }
}

void add_slopes(std::vector<DerivedTensor>& found, const Network& network, const ComputedConstants& computed) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const NetworkLayer& layer = network.layers[i];
    if (layer.type != "PRelu" || layer.inputs.size() < 2) continue;
    const int number = static_cast<int>(i), value = layer.inputs[1];
    auto slope = numbers_of_constant(network, value, computed);
    if (!slope) continue;
    slope = times(std::move(*slope), -1);
    found.push_back({{network.values[as_index(value)].name, std::move(slope->shape), std::move(slope->numbers), number},
                     {value},
                     {number},
                     "slope",
                     "",
                     "negated slope of " + of_layer(layer),
                     {},
                     {{number, value}}});
  }
}

}  // namespace culprit
