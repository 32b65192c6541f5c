#include "check/variants/output_bits.h"

#include "base/hash.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

void add_value(Hasher& hasher, const NamedTensor& output) {
  const Tensor& value = output.value;
  hasher.add(output.part).add(static_cast<std::int64_t>(value.dtype())).add(std::ssize(value.shape()));
  for (const std::int64_t size : value.shape()) hasher.add(size);
  hasher.add(value.bytes());
  for (const std::string& text : value.strings()) hasher.add(text);
}

}  // namespace

std::string bits_of_outputs(std::span<const std::filesystem::path> packs, const std::vector<std::size_t>& places) {
  Hasher hasher;
  for (const std::filesystem::path& pack : packs) {
    const auto outputs = read_pack_in_order(pack, places);
    if (!outputs) return "";
    hasher.add(std::ssize(*outputs));
    for (const NamedTensor& output : *outputs) add_value(hasher, output);
  }
  return packs.empty() ? "" : hasher.finish().hex();
}

}  // namespace culprit
