#include "compare/labelled_tensors.h"

#include "tensor/pack_file.h"
#include "tensor/structured_value.h"

namespace culprit {

Result<Pack> Pack::read(const std::filesystem::path& path) {
  auto tensors = read_pack(path);
  if (!tensors) return tl::unexpected(tensors.error());
  Pack pack;
  pack.tensors_ = std::move(*tensors);
  const auto labels = labels_of(pack.tensors_);
  for (std::size_t i = 0; i < labels.size(); ++i) pack.by_label_.emplace(labels[i], i);
  return pack;
}

const Tensor* Pack::find(const std::string& label) const {
  const auto at = by_label_.find(label);
  return at == by_label_.end() ? nullptr : &tensors_[at->second].value;
}

bool Pack::begins_with(const Pack& other) const {
  if (other.tensors_.size() > tensors_.size()) return false;
  for (std::size_t i = 0; i < other.tensors_.size(); ++i) {
    const NamedTensor& mine = tensors_[i];
    const NamedTensor& theirs = other.tensors_[i];
    if (mine.name != theirs.name || mine.part != theirs.part || !mine.value.identical(theirs.value)) return false;
  }
  return true;
}

Result<Packs> read_packs(const std::vector<std::filesystem::path>& paths) {
  Packs packs;
  for (const auto& path : paths) {
    auto pack = Pack::read(path);
    if (!pack) return tl::unexpected(pack.error());
    packs.push_back(std::move(*pack));
  }
  return packs;
}

}  // namespace culprit
