#include "conversion/map/derived_parameters.h"

#include "base/as_index.h"
#include "conversion/map/kernel_units.h"
#include "conversion/map/match_parameters.h"
#include "conversion/map/more_derived.h"

namespace culprit {
namespace {

DerivedTensor stored_one(TargetParameter parameter) {
  return {std::move(parameter.tensor),
          {parameter.value},
          {parameter.layer},
          std::move(parameter.role),
          std::move(parameter.axes),
          "",
          {},
          {{parameter.layer, parameter.value}}};
}

}  // namespace

std::vector<DerivedTensor> derived_tensors(const Network& source, const ComputedConstants& computed) {
  std::vector<DerivedTensor> found;
  auto stored = parameters_of(source, computed);
  found.reserve(stored.size());
  for (TargetParameter& parameter : stored) found.push_back(stored_one(std::move(parameter)));
  add_folded(found, source, computed);
  add_normalizations(found, source, computed);
  add_slopes(found, source, computed);
  add_recurrent(found, source, computed);
  add_stacks(found, source, computed);
  return found;
}

}  // namespace culprit
