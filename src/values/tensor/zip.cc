#include "tensor/zip.h"

#include <zip.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <system_error>

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
  constexpr zip_uint64_t needed =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
  zip_stat_t stat{};
  if (zip_stat_index(archive, number, ZIP_FL_ENC_RAW, &stat) != 0 || (stat.valid & needed) != needed)
    return broken("its directory is damaged");
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
    return fail(ErrorKind::unsupported, "a member is encrypted", "save it without a password");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    return fail(ErrorKind::unsupported, "a member is compressed by method " + std::to_string(stat.comp_method),
                "save it with numpy.savez or savez_compressed");
  }
  const ZipMember member{stat.name, number, stat.comp_method == ZIP_CM_STORE, stat.comp_size, stat.size, stat.crc};
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

/// A member that is read from its begin to its end.
class OpenMember {
 public:
  OpenMember(zip* archive, const ZipMember& member)
      : archive_(archive), file_(zip_fopen_index(archive, member.number, 0), zip_fclose) {}

  Result<void> fill(std::span<char> into) {
    if (file_ == nullptr) return broken(std::string("a member cannot be read: ") + zip_strerror(archive_));
    while (!into.empty()) {
      const zip_int64_t got = zip_fread(file_.get(), into.data(), into.size());
      if (got <= 0) return broken(wrong_size);
      into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }

  /// The checksum is compared there.
  Result<void> expect_end() {
    if (file_ == nullptr) return broken(std::string("a member cannot be read: ") + zip_strerror(archive_));
    char beyond = 0;
    const zip_int64_t more = zip_fread(file_.get(), &beyond, 1);
    if (more == 0) return {};
    const bool is_other = more < 0 && zip_error_code_zip(zip_file_get_error(file_.get())) == ZIP_ER_CRC;
    return broken(is_other ? "a member's checksum is wrong" : wrong_size);
  }

 private:
  static constexpr const char* wrong_size = "a member does not inflate to the size it claims";
  zip* archive_;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_;
};

}  // namespace

void ZipArchive::Discard::operator()(::zip* archive) const { zip_discard(archive); }

Result<ZipArchive> ZipArchive::open(std::span<const std::byte> bytes) {
  if (bytes.empty()) return broken(no_archive);  // to libzip an archive that is still to be written
  ZipError problem;
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &problem.error);
  if (source == nullptr) return broken(zip_error_strerror(&problem.error));
  return open_source(source, bytes.size());
}

Result<ZipArchive> ZipArchive::open_file(const std::filesystem::path& path) {
  std::error_code trouble;
  const std::uint64_t size = std::filesystem::file_size(path, trouble);
  if (trouble) return fail(ErrorKind::io, "it cannot be read: " + trouble.message());
  if (size == 0) return broken(no_archive);
  ZipError problem;
  zip_source_t* const source = zip_source_file_create(path.c_str(), 0, -1, &problem.error);
  if (source == nullptr) return broken(zip_error_strerror(&problem.error));
  return open_source(source, size);
}

Result<ZipArchive> ZipArchive::open_source(zip_source_t* source, std::uint64_t size) {
  ZipError problem;
  Handle archive(zip_open_from_source(source, ZIP_RDONLY, &problem.error));
  if (archive == nullptr) {
    zip_source_free(source);
    const bool is_none = zip_error_code_zip(&problem.error) == ZIP_ER_NOZIP;
    return broken(is_none ? no_archive
                          : std::string("its directory is damaged: ") + zip_error_strerror(&problem.error));
  }
  auto members = look_at_all(archive.get(), size);
  if (!members) return tl::unexpected(members.error());
  return ZipArchive(std::move(archive), std::move(*members));
}

Result<std::string> ZipArchive::extract(const ZipMember& member) {
  std::string content;
  try {
    content.resize(member.size);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "no memory for a member of " + std::to_string(member.size) + " bytes");
  }
  OpenMember file(archive_.get(), member);
  if (auto filled = file.fill(content); !filled) return tl::unexpected(filled.error());
  if (auto ended = file.expect_end(); !ended) return tl::unexpected(ended.error());
  return content;
}

Result<std::string> ZipArchive::begin(const ZipMember& member, std::size_t most) {
  std::string content(static_cast<std::size_t>(std::min<std::uint64_t>(member.size, most)), '\0');
  OpenMember file(archive_.get(), member);
  if (auto filled = file.fill(content); !filled) return tl::unexpected(filled.error());
  return content;
}

Result<void> ZipArchive::extract_into(const ZipMember& member, GrowingFile& into) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 20;
  OpenMember file(archive_.get(), member);
  for (std::uint64_t done = 0; done < member.size;) {
    std::string piece(static_cast<std::size_t>(std::min(at_once, member.size - done)), '\0');
    if (auto filled = file.fill(piece); !filled) return filled;
    const std::string_view bytes = piece;
    if (auto written = into.append({&bytes, 1}); !written) return written;
    done += piece.size();
  }
  return file.expect_end();
}

}  // namespace culprit
