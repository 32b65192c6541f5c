#include "check/results/lost_draws.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"
#include "model/random_ops.h"

namespace culprit {
namespace {

Warning lost(const PlannedVariant& planned, std::size_t before, std::span<const std::string> left) {
  return {"draws_lost",
          fmt::format("{}: of {} nodes that draw random numbers without a seed, {}; the outputs are made of fewer "
                      "numbers than the model draws. No run can judge that, because no two runs are alike",
                      name_of(planned), before, left.empty() ? "none is left" : "it leaves " + join(left, ", "))};
}

}  // namespace

void warn_of_lost_draws(const MadeVariants& variants, const Model& original, std::vector<Warning>& warnings) {
  const std::size_t before = original.proto != nullptr ? random_ops_behind_outputs(*original.proto).size() : 0;
  if (before == 0) return;
  std::set<std::filesystem::path> seen;
  for (const Variant& variant : variants.all()) {
    const auto& file = variant.outcome.file;
    if (variant.same_as != SameAs::none || file.empty() || !seen.insert(file).second) continue;
    const auto proto = load_proto(file);
    if (!proto) continue;  // what cannot be read is said where it is run
    const auto left = random_ops_behind_outputs(*proto);
    if (left.size() < before) warnings.push_back(lost(variant.plan, before, left));
  }
}

}  // namespace culprit
