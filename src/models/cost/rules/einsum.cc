#include "cost/einsum_equation.h"
#include "cost/rules/rule.h"

namespace culprit::rules {

double einsum_flops(const TypedNode& node) {
  const auto sizes = einsum_sizes(text(node, "equation", ""), node.inputs);
  if (!sizes) return not_known;
  double combinations = 1, elements = 1;
  for (const auto& [label, size] : sizes->letters) combinations *= size;
  for (const std::int64_t size : sizes->result) elements *= size < 0 ? not_known : static_cast<double>(size);
  const double multiplications = static_cast<double>(node.inputs.size()) - 1;
  return combinations * multiplications + (combinations > elements ? combinations : 0 * elements);
}

}  // namespace culprit::rules
