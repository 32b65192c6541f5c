#include "tensor/zip.h"

#include <zip.h>

#include <algorithm>
#include <new>

#include "tensor/broken_file.h"

namespace culprit {
namespace {

constexpr std::uint64_t best_deflate_ratio = 1040;  // 1032 by the format's limits, and a little for the ends

constexpr const char* no_archive = "it has no zip directory at its end: it is not a zip archive, or was cut short";

/// libzip's errors, told and given back.
struct ZipError {
  ZipError() { zip_error_init(&error); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { zip_error_fini(&error); }
  zip_error_t error{};
};

Result<ZipMember> look_at(zip* archive, std::uint64_t number, std::uint64_t archive_size) {
  constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  zip_stat_t stat{};
  if (zip_stat_index(archive, number, ZIP_FL_ENC_RAW, &stat) != 0 || (stat.valid & needed) != needed)
    return broken("its directory is damaged");
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
    return fail(ErrorKind::unsupported, "a member is encrypted", "save it without a password");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    return fail(ErrorKind::unsupported, "a member is compressed by method " + std::to_string(stat.comp_method),
                "save it with numpy.savez or savez_compressed");
  }
  const ZipMember member{stat.name, number, stat.comp_method == ZIP_CM_STORE, stat.comp_size, stat.size};
  if (member.compressed > archive_size) return broken("a member lies outside the file");
  if (member.is_stored && member.size != member.compressed) return broken("a stored member has two different sizes");
  if (member.size / best_deflate_ratio > member.compressed) {
    return broken("a member claims to be larger than " + std::to_string(member.compressed) + " bytes can inflate to");
  }
  return member;
}

Result<std::vector<ZipMember>> look_at_all(zip* archive, std::uint64_t archive_size) {
  const zip_int64_t count = zip_get_num_entries(archive, 0);  // libzip has looked whether the directory holds so many
  std::vector<ZipMember> members;
  std::uint64_t compressed = 0, inflated = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    auto member = look_at(archive, static_cast<std::uint64_t>(i), archive_size);
    if (!member) return tl::unexpected(member.error());
    compressed += member->compressed;  // each at most the size of the file, and the file has room for few entries
    inflated += member->is_stored ? 0 : member->size;
    if (compressed > archive_size) return broken("its members overlap");
    if (inflated > largest_inflated) return broken("its members inflate to more than the limit of 4 GiB");
    members.push_back(std::move(*member));
  }
  return members;
}

}  // namespace

void ZipArchive::Discard::operator()(::zip* archive) const { zip_discard(archive); }

Result<ZipArchive> ZipArchive::open(std::span<const std::byte> bytes) {
  if (bytes.empty()) return broken(no_archive);  // to libzip an archive that is still to be written
  ZipError problem;
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &problem.error);
  if (source == nullptr) return broken(zip_error_strerror(&problem.error));
  Handle archive(zip_open_from_source(source, ZIP_RDONLY, &problem.error));
  if (archive == nullptr) {
    zip_source_free(source);
    const bool is_none = zip_error_code_zip(&problem.error) == ZIP_ER_NOZIP;
    return broken(is_none ? no_archive
                          : std::string("its directory is damaged: ") + zip_error_strerror(&problem.error));
  }
  auto members = look_at_all(archive.get(), bytes.size());
  if (!members) return tl::unexpected(members.error());
  return ZipArchive(std::move(archive), std::move(*members));
}

Result<std::string> ZipArchive::extract(const ZipMember& member) {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive_.get(), member.number, 0),
                                                               zip_fclose);
  if (file == nullptr) return broken(std::string("a member cannot be read: ") + zip_strerror(archive_.get()));
  std::string content;
  try {
    content.resize(member.size);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "no memory for a member of " + std::to_string(member.size) + " bytes");
  }
  std::size_t read = 0;
  while (read < content.size()) {
    const zip_int64_t got = zip_fread(file.get(), content.data() + read, content.size() - read);
    if (got <= 0) return broken("a member does not inflate to the size it claims");
    read += static_cast<std::size_t>(got);
  }
  char beyond = 0;  // the checksum is compared at the end
  const zip_int64_t more = zip_fread(file.get(), &beyond, 1);
  if (more > 0) return broken("a member does not inflate to the size it claims");
  if (more < 0) {
    return broken(zip_error_code_zip(zip_file_get_error(file.get())) == ZIP_ER_CRC
                      ? "a member's checksum is wrong"
                      : "a member does not inflate to the size it claims");
  }
  return content;
}

}  // namespace culprit
