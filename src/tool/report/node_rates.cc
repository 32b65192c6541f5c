#include "report/node_rates.h"

#include <cmath>

namespace culprit {
namespace {

std::optional<double> quotient(const std::optional<double>& above, const std::optional<double>& below) {
  if (!above || !below || !std::isfinite(*above) || !std::isfinite(*below) || *below <= 0) return std::nullopt;
  return *above / *below;
}

}  // namespace

std::optional<double> flops_per_second(const NodeTimeRecord& node) { return quotient(node.flops, node.seconds); }
std::optional<double> bytes_per_second(const NodeTimeRecord& node) { return quotient(node.moved, node.seconds); }
std::optional<double> flops_per_byte(const NodeTimeRecord& node) { return quotient(node.flops, node.moved); }

}  // namespace culprit
