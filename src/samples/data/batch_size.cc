#include "data/batch_size.h"

#include <algorithm>

#include "data/size_guesses.h"
#include "data/synthesize.h"
#include "tensor/pack_file.h"

namespace culprit {

std::optional<std::int64_t> batch_size(const std::vector<ValueInfo>& inputs, const std::vector<NamedTensor>& pack) {
  std::optional<std::int64_t> size;
  for (const ValueInfo& input : inputs) {
    const auto fed = std::ranges::find(pack, input.name, &NamedTensor::name);
    if (fed == pack.end() || fed->value.shape().size() != input.dims.size()) continue;
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
      if (!is_open(input.dims[axis]) || kind_of(input, axis) != DimKind::batch) continue;
      const std::int64_t here = fed->value.shape()[axis];
      if (size && *size != here) return std::nullopt;
      size = here;
    }
  }
  return size;
}

std::optional<std::int64_t> batch_size_in(const std::vector<ValueInfo>& inputs, const std::filesystem::path& pack) {
  const auto tensors = read_pack(pack);
  return tensors ? batch_size(inputs, *tensors) : std::nullopt;
}

}  // namespace culprit
