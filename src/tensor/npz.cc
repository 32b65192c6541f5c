// tensor/npy.h: read_npz

#include <set>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "tensor/npy.h"
#include "tensor/zip.h"

namespace culprit {
namespace {

constexpr std::string_view suffix = ".npy";

Result<NamedTensor> read_member(ZipArchive& archive, const ZipMember& member) {
  if (!member.name.ends_with(suffix)) {
    return fail(ErrorKind::unsupported, "the member \"" + printable(member.name, 200) + "\" is not an array (.npy)",
                "save the arrays with numpy.savez");
  }
  NamedTensor tensor;
  tensor.name = member.name.substr(0, member.name.size() - suffix.size());
  auto bytes = archive.extract(member);
  if (!bytes) return fail(bytes.error().kind, "\"" + printable(member.name, 200) + "\": " + bytes.error().message);
  auto value = parse_npy(*bytes, member.name);
  if (!value) return tl::unexpected(value.error());
  tensor.value = std::move(*value);
  return tensor;
}

Result<std::vector<NamedTensor>> read_archive(std::span<const std::byte> bytes) {
  auto archive = ZipArchive::open(bytes);
  if (!archive) return tl::unexpected(archive.error());
  std::vector<NamedTensor> tensors;
  std::set<std::string> names;
  for (const auto& member : archive->members()) {
    if (!names.insert(member.name).second) {
      return fail(ErrorKind::bad_input, "two members are named \"" + printable(member.name, 200) + "\"");
    }
    auto tensor = read_member(*archive, member);
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
  return fail(tensors.error().kind, "cannot read " + printable(where) + ": " + tensors.error().message,
              tensors.error().hint.empty() ? "save it again with numpy.savez" : tensors.error().hint);
}

}  // namespace culprit
