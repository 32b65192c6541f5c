#include <algorithm>

#include "base/text.h"
#include "tensor/steps.h"
#include "tensor/transposed.h"
#include "worker/run_job.h"

namespace culprit {
namespace {

void feed_back_own(std::vector<NamedTensor>& pack, const RenamedOutputs& outputs) {
  for (NamedTensor& tensor : pack)
    for (const auto& [original, variant] : outputs)
      if (tensor.part == state_part(original)) {
        tensor.part = state_part(variant);
        break;
      }
}

}  // namespace

Result<std::vector<NamedTensor>> bind_inputs(std::vector<NamedTensor> pack, const std::vector<BoundInput>& inputs,
                                             const RenamedOutputs& outputs) {
  feed_back_own(pack, outputs);
  if (inputs.empty()) return pack;
  std::vector<NamedTensor> bound;
  for (const BoundInput& input : inputs) {
    auto found = std::ranges::find(pack, input.original, &NamedTensor::name);
    if (found == pack.end())
      return fail(ErrorKind::bad_input, "the sample has no tensor '" + printable(input.original) + "' for input '" +
                                            printable(input.variant) + "'");
    for (; found != pack.end() && found->name == input.original; ++found) {  // all its parts
      Tensor value = found->value;
      if (input.cast_to != DType::undefined && input.cast_to != value.dtype()) {
        auto casted = cast(value, input.cast_to);
        if (!casted) return tl::unexpected(casted.error());
        value = std::move(*casted);
      }
      if (!input.axes.empty()) {
        auto turned = transposed(value, input.axes, input.as);
        if (!turned) return tl::unexpected(turned.error());
        value = std::move(*turned);
      }
      bound.push_back({input.variant, std::move(value), found->part});
    }
  }
  return bound;
}

}  // namespace culprit
