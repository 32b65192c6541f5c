// tensor/npy.h: read_npz

#include <set>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "tensor/npy.h"
#include "tensor/npz_member.h"
#include "tensor/zip.h"

namespace culprit {
namespace {

Result<NamedTensor> read_member(ZipArchive& archive, const ZipMember& member, std::set<std::string>& names) {
  auto name = array_name(member, names);
  if (!name) return tl::unexpected(name.error());
  auto bytes = archive.extract(member);
  if (!bytes) return fail(bytes.error().kind, "\"" + printable(member.name, 200) + "\": " + bytes.error().message);
  auto value = parse_npy(*bytes, member.name);
  if (!value) return tl::unexpected(value.error());
  return NamedTensor{std::move(*name), std::move(*value)};
}

Result<std::vector<NamedTensor>> read_archive(std::span<const std::byte> bytes) {
  auto archive = ZipArchive::open(bytes);
  if (!archive) return tl::unexpected(archive.error());
  std::vector<NamedTensor> tensors;
  std::set<std::string> names;
  for (const auto& member : archive->members()) {
    auto tensor = read_member(*archive, member, names);
    if (!tensor) return tl::unexpected(tensor.error());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

}  // namespace

Result<std::vector<NamedTensor>> read_npz(const std::filesystem::path& path) {
  auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return parse_npz({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, path.native());
}

Result<std::vector<NamedTensor>> parse_npz(std::string_view bytes, std::string_view where) {
  auto tensors = read_archive(std::as_bytes(std::span(bytes)));
  if (tensors) return tensors;
  return no_archive_of_arrays(where, tensors.error());
}

}  // namespace culprit
