#include "tensor/nudged_pack.h"

#include "base/random.h"
#include "tensor/nudge.h"
#include "tensor/pack.h"

namespace culprit {

bool is_moved_in_samples(const Tensor& tensor) { return is_nudgeable(tensor.dtype()) && tensor.count() > 1; }

Result<void> write_nudged(const std::filesystem::path& from, const std::filesystem::path& to,
                          const std::set<std::string>& inputs, const SampleNudge& nudge) {
  auto sample = read_pack(from);
  if (!sample) return tl::unexpected(sample.error());
  for (NamedTensor& input : *sample) {
    if (!is_moved_in_samples(input.value) || !inputs.contains(input.name)) continue;
    Random random(nudge.seed, input.name + input.part + std::string(nudge.mark));
    input.value = nudged(input.value, random, nudge.ulps);
  }
  return write_pack(to, *sample);
}

}  // namespace culprit
