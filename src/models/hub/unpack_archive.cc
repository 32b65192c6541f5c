#include "hub/unpack_archive.h"

#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "hub/archive_library.h"

namespace culprit {
namespace {

struct EndArchive {
  void operator()(archive* handle) const { ARCHIVE_FUNCTION(archive_read_free)(handle); }
};

class Unpacking {
 public:
  Unpacking(const fs::path& file, fs::path into, const UnpackLimits& limits, const Stop& stop)
      : file_(file),
        into_(std::move(into)),
        limits_(limits),
        stop_(stop),
        handle_(ARCHIVE_FUNCTION(archive_read_new)()) {}

  Result<void> run() {
    constexpr std::size_t block = std::size_t{1} << 16;
    ARCHIVE_FUNCTION(archive_read_support_filter_gzip)(handle_.get());
    ARCHIVE_FUNCTION(archive_read_support_format_tar)(handle_.get());
    if (ARCHIVE_FUNCTION(archive_read_open_filename)(handle_.get(), file_.c_str(), block) != ARCHIVE_OK)
      return damaged();
    while (true) {
      if (is_stopped(stop_)) return ended_early();
      archive_entry* entry = nullptr;
      const int code = ARCHIVE_FUNCTION(archive_read_next_header)(handle_.get(), &entry);
      if (code == ARCHIVE_EOF) return {};
      if (code != ARCHIVE_OK) return damaged();
      if (auto ok = unpack(entry); !ok) return ok;
    }
  }

 private:
  Result<void> unpack(archive_entry* entry) {
    const char* text = ARCHIVE_FUNCTION(archive_entry_pathname)(entry);
    const std::string name = text == nullptr ? "" : text;
    const auto type = ARCHIVE_FUNCTION(archive_entry_filetype)(entry);
    const bool is_link = ARCHIVE_FUNCTION(archive_entry_hardlink)(entry) != nullptr;
    if (is_link || (type != AE_IFREG && type != AE_IFDIR)) return refused(name, "it is a link or a device");
    const auto place = path_inside(into_, name);
    if (!place || name.empty()) return refused(name, "it would leave the folder");
    if (++files_ > limits_.most_files)
      return refused(name, "there are more than " + std::to_string(limits_.most_files));
    std::error_code error;
    fs::create_directories(type == AE_IFDIR ? *place : place->parent_path(), error);
    if (error) return fail(ErrorKind::io, "cannot make a folder for " + printable(name, 200) + ": " + error.message());
    return type == AE_IFDIR ? Result<void>() : write_file(name, *place);
  }

  Result<void> write_file(const std::string& name, const fs::path& place) {
    std::ofstream stream(place, std::ios::binary);
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (true) {
      if (is_stopped(stop_)) return ended_early();
      const int code = ARCHIVE_FUNCTION(archive_read_data_block)(handle_.get(), &data, &size, &offset);
      if (code == ARCHIVE_EOF) break;
      if (code != ARCHIVE_OK) return damaged();
      bytes_ += size;
      if (bytes_ > limits_.most_bytes || offset < 0 || static_cast<std::uint64_t>(offset) > limits_.most_bytes)
        return refused(name, "all together are larger than " + human_bytes(limits_.most_bytes));
      stream.seekp(offset);
      stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    }
    stream.close();
    if (stream) return {};
    return fail(ErrorKind::io, "cannot write " + printable(place.native(), 500), "is the disk full?");
  }

  [[nodiscard]] tl::unexpected<Error> refused(const std::string& name, const std::string& why) const {
    return fail(ErrorKind::bad_input,
                printable(file_.native(), 500) + " is refused for its entry '" + printable(name, 200) + "': " + why);
  }
  [[nodiscard]] tl::unexpected<Error> damaged() const {
    const char* said = ARCHIVE_FUNCTION(archive_error_string)(handle_.get());
    return fail(ErrorKind::bad_input, printable(file_.native(), 500) + " is no archive (.tar.gz), or damaged: " +
                                          printable(said == nullptr ? "it ends early" : said, 200));
  }

  const fs::path& file_;
  fs::path into_;
  UnpackLimits limits_;
  const Stop& stop_;
  std::unique_ptr<archive, EndArchive> handle_;
  std::uint64_t bytes_ = 0, files_ = 0;
};

}  // namespace

Result<void> unpack_archive(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits,
                            const Stop& stop) {
  if (auto loaded = load_archive(); !loaded) return tl::unexpected(loaded.error());
  auto beside = TemporaryFolder::create(folder.parent_path(), ".unpacking-");
  if (!beside) return tl::unexpected(beside.error());
  if (auto ok = Unpacking(archive, beside->path(), limits, stop).run(); !ok) return ok;
  std::error_code error;
  fs::rename(beside->path(), folder, error);
  if (error) return fail(ErrorKind::io, "cannot make " + printable(folder.native(), 500) + ": " + error.message());
  beside->keep();
  return {};
}

}  // namespace culprit
