#include "task/spill.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace culprit {
namespace {

class FileSpill : public Spill {
 public:
  explicit FileSpill(int file) : file_(file) {}
  FileSpill(const FileSpill&) = delete;
  FileSpill& operator=(const FileSpill&) = delete;
  ~FileSpill() override { ::close(file_); }

  Result<void> append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return failed("write");
      size_ += static_cast<std::uint64_t>(written);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  Result<void> read(std::uint64_t offset, std::span<char> into) override {
    while (!into.empty()) {
      const ssize_t got = ::pread(file_, into.data(), into.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return failed("read");
      offset += static_cast<std::uint64_t>(got);
      into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }

 private:
  static tl::unexpected<Error> failed(const char* doing) {
    return fail(ErrorKind::io, std::string("cannot ") + doing + " a temporary file: " + std::strerror(errno),
                "make room on the disk of the run directory");
  }

  int file_;
  std::uint64_t size_ = 0;
};

}  // namespace

Result<std::unique_ptr<Spill>> open_spill(const std::filesystem::path& folder) {
  std::string name = (folder / ".spill-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0)
    return fail(ErrorKind::io, "cannot make a temporary file in " + folder.string() + ": " + std::strerror(errno));
  ::unlink(name.c_str());
  return std::make_unique<FileSpill>(file);
}

}  // namespace culprit
