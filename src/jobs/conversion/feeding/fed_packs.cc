#include "conversion/feeding/fed_packs.h"

#include <fmt/format.h>

#include "base/as_index.h"
#include "conversion/map/bind_sides.h"
#include "tensor/pack_file.h"

namespace culprit {

Result<std::vector<NamedTensor>> bound_inputs(const BothSides& sides, const std::vector<ValueMatch>& binding,
                                              std::span<const Tensor> inputs) {
  const Network& source = sides.source.network();
  std::vector<NamedTensor> named;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    named.push_back({source.values[as_index(source.inputs.at(i))].name, inputs[i]});
  return bound_sample(binding, source, sides.target.network(), named);
}

Result<bool> FedPacks::add(const FeedingWay& way, std::span<const Tensor> inputs) {
  const auto fed = way.fed(inputs);
  if (!fed) return false;
  const auto bound = bound_inputs(sides_, binding_, *fed);
  if (!bound) return tl::unexpected(bound.error());
  const auto file = folder_ / fmt::format("fed_{}.pack", files_.size());
  if (auto ok = write_pack(file, *bound); !ok) return tl::unexpected(ok.error());
  files_.push_back(file);
  return true;
}

}  // namespace culprit
