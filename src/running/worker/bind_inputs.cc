#include <algorithm>

#include "base/text.h"
#include "tensor/transposed.h"
#include "worker/run_job.h"

namespace culprit {

Result<std::vector<NamedTensor>> bind_inputs(std::vector<NamedTensor> pack, const std::vector<BoundInput>& inputs) {
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
