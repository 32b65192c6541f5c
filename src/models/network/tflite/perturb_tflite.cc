#include "network/tflite/perturb_tflite.h"

#include "network/tflite/tflite_edit.h"
#include "network/tflite/tflite_types.h"
#include "tensor/perturb_elements.h"

namespace culprit {
namespace {

bool is_moved(const TfliteTensor& tensor, std::span<const std::byte> elements) {
  const DType type = dtype_of_tflite(tensor.type);
  return is_nudgeable(type) && !tensor.is_sparse && tensor.external_buffer == 0 && elements.size() > bits_of(type) / 8;
}

Result<void> move_tensor(TfliteEdit& edit, TflitePlace place, const TfliteTensor& tensor,
                         std::span<const std::byte> elements, Random random, unsigned ulps) {
  const DType type = dtype_of_tflite(tensor.type);
  const auto count = static_cast<std::int64_t>(elements.size() / (bits_of(type) / 8));
  const auto read = Tensor::from_bytes(type, {count}, {elements.begin(), elements.end()});
  if (!read) return tl::unexpected(read.error());
  const Tensor moved = perturbed(*read, random, ulps);
  const auto bytes = moved.bytes();
  return edit.set_data(place, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Result<TfliteFile> perturbed(const TfliteFile& file, std::uint64_t seed, unsigned ulps) {
  auto edit = TfliteEdit::start(file);
  if (!edit) return tl::unexpected(edit.error());
  const auto& subgraphs = file.graph().subgraphs;
  for (std::size_t of = 0; of < subgraphs.size(); ++of) {
    for (std::size_t i = 0; i < subgraphs[of].tensors.size(); ++i) {
      const TfliteTensor& tensor = subgraphs[of].tensors[i];
      const auto elements = file.buffer(tensor.buffer);
      if (!is_moved(tensor, elements)) continue;
      // By the buffer: what tensors share stays the same in all of them.
      const Random random(seed, "buffer " + std::to_string(tensor.buffer));
      if (auto ok = move_tensor(*edit, {of, i}, tensor, elements, random, ulps); !ok) return tl::unexpected(ok.error());
    }
  }
  return edit->finish();
}

}  // namespace culprit
