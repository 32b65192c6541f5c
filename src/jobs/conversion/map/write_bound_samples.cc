#include <fmt/format.h>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/map/bind_sides.h"
#include "conversion/map/input_orders.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

Result<NamedTensor> bound_tensor(const ValueMatch& match, const Network& source, const Network& target,
                                 std::span<const NamedTensor> sample) {
  const NetworkValue& ours = source.values[as_index(match.source)];
  const NetworkValue& theirs = target.values[as_index(match.target)];
  const Tensor* tensor = find_value(sample, ours.name);
  if (tensor == nullptr)
    return fail(ErrorKind::bad_input,
                fmt::format("a sample has no value for the input '{}'", printable(ours.name, 60)));
  auto laid = laid_out(*tensor, match.order, bound_shape(tensor->shape(), match.order, theirs));
  if (laid && theirs.dtype != DType::undefined && laid->dtype() != theirs.dtype) laid = cast(*laid, theirs.dtype);
  if (!laid) return tl::unexpected(laid.error());
  return NamedTensor{theirs.name, std::move(*laid)};
}

}  // namespace

Result<std::vector<NamedTensor>> bound_sample(const std::vector<ValueMatch>& inputs, const Network& source,
                                              const Network& target, std::span<const NamedTensor> sample) {
  std::vector<NamedTensor> bound;
  for (const ValueMatch& match : inputs) {
    auto tensor = bound_tensor(match, source, target, sample);
    if (!tensor) return tl::unexpected(tensor.error());
    bound.push_back(std::move(*tensor));
  }
  return bound;
}

Result<std::vector<std::filesystem::path>> write_bound_samples(const SideBinding& binding, const Network& source,
                                                               const Network& target,
                                                               const std::vector<std::filesystem::path>& samples,
                                                               const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> written;
  for (const std::filesystem::path& path : samples) {
    const auto sample = read_pack(path);
    if (!sample) return tl::unexpected(sample.error());
    const auto bound = bound_sample(binding.inputs, source, target, *sample);
    if (!bound) return tl::unexpected(bound.error());
    const auto file = folder / fmt::format("bound_{}.pack", written.size());
    if (auto ok = write_pack(file, *bound); !ok) return tl::unexpected(ok.error());
    written.push_back(file);
  }
  return written;
}

}  // namespace culprit
