#include <zip.h>

#include <memory>
#include <string>

#include "base/text.h"
#include "tensor/npy.h"
#include "tensor/npy_elements.h"

namespace culprit {
namespace {

constexpr zip_uint16_t first_day = 0x21;  // 1980-01-01, where time begins for zip

struct DiscardNpz {
  void operator()(zip* archive) const { zip_discard(archive); }
};

tl::unexpected<Error> cannot_write_npz(const std::filesystem::path& path, const std::string& why) {
  return fail(ErrorKind::io, "cannot write " + printable(path.native()) + ": " + why,
              "check the permissions and the free space");
}

Result<void> add_member(zip* archive, const std::string& name, const std::string& content,
                        const std::filesystem::path& path) {
  zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
  if (source == nullptr) return cannot_write_npz(path, zip_strerror(archive));
  const zip_int64_t number = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (number < 0) {
    zip_source_free(source);
    return cannot_write_npz(path, zip_strerror(archive));
  }
  const auto at = static_cast<zip_uint64_t>(number);
  if (zip_set_file_compression(archive, at, ZIP_CM_STORE, 0) == 0 &&
      zip_file_set_dostime(archive, at, 0, first_day, 0) == 0)
    return {};
  return cannot_write_npz(path, zip_strerror(archive));
}

}  // namespace

Result<void> write_npz(const std::filesystem::path& path, std::span<const NamedTensor> arrays) {
  std::vector<std::string> contents;  // they live until the archive is closed
  contents.reserve(arrays.size());
  for (const NamedTensor& array : arrays) {
    auto content = npy_head(array.value, path.native());
    if (!content) return tl::unexpected(content.error());
    content->append(reinterpret_cast<const char*>(array.value.bytes().data()), array.value.bytes().size());
    contents.push_back(std::move(*content));
  }
  int error = 0;
  std::unique_ptr<zip, DiscardNpz> archive(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (archive == nullptr) return cannot_write_npz(path, "libzip's error " + std::to_string(error));
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (auto ok = add_member(archive.get(), arrays[i].name + ".npy", contents[i], path); !ok) return ok;
  if (zip_close(archive.get()) != 0) return cannot_write_npz(path, zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closing it freed it
  return {};
}

}  // namespace culprit
