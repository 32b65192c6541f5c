#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/flush_folder.h"
#include "base/open_file.h"
#include "base/parent_folder.h"
#include "base/text.h"

namespace culprit {
namespace {

tl::unexpected<Error> too_big(const fs::path& path, std::uint64_t size, std::uint64_t limit) {
  return fail(ErrorKind::bad_input,
              "cannot read " + printable(path.native()) + ": it holds " + human_bytes(size) +
                  ", more than the limit of " + human_bytes(limit),
              "check that it is the file you mean");
}

using Pieces = std::span<const std::string_view>;

Result<void> write_piece(int descriptor, const fs::path& path, std::string_view bytes, const Stop& stop) {
  constexpr std::size_t at_once = std::size_t{16} << 20;
  while (!bytes.empty()) {
    const bool is_large = bytes.size() > at_once;
    if (is_large && is_stopped(stop)) return ended_early();
    const auto done = ::write(descriptor, bytes.data(), std::min(bytes.size(), at_once));
    if (done >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno != EINTR) {
      return system_failure("write", path, errno);
    }
  }
  return {};
}

Result<void> write_all(int descriptor, const fs::path& path, Pieces pieces, const Stop& stop) {
  for (const auto piece : pieces) {
    if (auto written = write_piece(descriptor, path, piece, stop); !written) return written;
  }
  return {};
}

/// Devices and pipes (/dev/stdout, /dev/null) cannot be replaced by a file of the same name: they are written to.
Result<void> write_through(const fs::path& path, Pieces pieces, const Stop& stop) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return system_failure("write", path, errno);
  auto written = write_all(descriptor, path, pieces, stop);
  if (::close(descriptor) != 0 && written) return system_failure("write", path, errno);
  return written;
}

struct Temporary {
  int descriptor = -1;
  fs::path path;
};

/// A new file beside `target`, with the permissions that the user's umask gives any new file (mkstemp would not).
Result<Temporary> create_beside(const fs::path& target) {
  static std::atomic<unsigned> serial{0};
  const fs::path folder = parent_folder(target);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    Temporary made;
    made.path = folder / (".culprit-" + std::to_string(::getpid()) + "-" + std::to_string(serial++) + ".tmp");
    made.descriptor = ::open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made.descriptor >= 0) return made;
    if (errno != EEXIST) return system_failure("write", target, errno);
  }
  return system_failure("write", target, EEXIST);
}

/// Writes, flushes and closes; the descriptor is closed in every case.
Result<void> fill(const Temporary& temporary, const fs::path& target, Pieces pieces, Durability durability,
                  const Stop& stop) {
  auto written = write_all(temporary.descriptor, target, pieces, stop);
  int trouble = 0;
  if (written && durability == Durability::flushed && ::fsync(temporary.descriptor) != 0) trouble = errno;
  if (::close(temporary.descriptor) != 0 && trouble == 0) trouble = errno;
  if (written && trouble != 0) return system_failure("write", target, trouble);
  return written;
}

Result<void> replace(const fs::path& target, Pieces pieces, Durability durability, const Stop& stop) {
  auto temporary = create_beside(target);
  if (!temporary) return tl::unexpected(temporary.error());
  auto written = fill(*temporary, target, pieces, durability, stop);
  if (written && ::rename(temporary->path.c_str(), target.c_str()) != 0) {
    written = system_failure("write", target, errno);
  }
  if (!written) {
    ::unlink(temporary->path.c_str());
    return written;
  }
  if (durability == Durability::flushed) flush_folder_of(target);
  return {};
}

bool is_within(const fs::path& root, const fs::path& path) {
  const auto pair = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return pair.first == root.end();
}

tl::unexpected<Error> outside(std::string_view relative, const fs::path& folder, const char* why) {
  return fail(
      ErrorKind::bad_input,
      "the path \"" + printable(relative) + "\" " + why + " (it belongs inside " + printable(folder.native()) + ")",
      "do not trust its source; paths must be relative and stay in their folder");
}

/// In the cache of the Hugging Face hub all files of <repository>/snapshots/<revision>/ are links into
/// <repository>/blobs.
bool is_blob_of_snapshot(const fs::path& root, const fs::path& file) {
  for (fs::path revision = root; revision.has_relative_path(); revision = revision.parent_path()) {
    if (revision.parent_path().filename() != "snapshots") continue;
    return file.parent_path() == revision.parent_path().parent_path() / "blobs";
  }
  return false;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t limit) {
  auto file = OpenFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (file->size() > limit) return too_big(path, file->size(), limit);
  std::string content;
  std::size_t filled = 0;
  try {
    content.resize(static_cast<std::size_t>(file->size()));
    while (true) {  // to the end rather than to the size: it may be growing, or in /proc, where sizes are 0
      if (filled > limit) return too_big(path, filled, limit);
      if (filled == content.size()) content.resize(filled + 4096);
      auto got = file->read(content.data() + filled, content.size() - filled);
      if (!got) return tl::unexpected(got.error());
      if (*got == 0) break;
      filled += *got;
    }
    content.resize(filled);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io,
                "cannot read " + printable(path.native()) + ": no memory for its " + human_bytes(file->size()));
  }
  return content;
}

Result<void> write_file_atomic(const fs::path& path, std::string_view bytes) {
  return write_pieces_atomic(path, {&bytes, 1}, Durability::flushed);
}

Result<void> write_pieces_atomic(const fs::path& path, std::span<const std::string_view> pieces, Durability durability,
                                 const Stop& stop) {
  if (auto usable = check_path(path); !usable) return usable;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return replace(path, pieces, durability, stop);
  if (S_ISDIR(facts.st_mode)) return system_failure("write", path, EISDIR);
  if (!S_ISREG(facts.st_mode)) return write_through(path, pieces, stop);
  std::error_code trouble;
  const fs::path real = fs::canonical(path, trouble);
  return replace(trouble ? path : real, pieces, durability, stop);
}

Result<fs::path> path_inside(const fs::path& folder, std::string_view relative) {
  if (relative.empty()) return outside(relative, folder, "is empty");
  if (relative.find('\0') != std::string_view::npos) return outside(relative, folder, "contains a NUL byte");
  const fs::path wanted(relative);
  if (wanted.is_absolute()) return outside(relative, folder, "is absolute");
  std::error_code trouble;
  const fs::path root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, trouble), trouble);
  if (trouble) return system_failure("use the folder", folder, trouble.value());
  fs::path here = root;
  for (const auto& step : wanted) {  // step by step, as the system would walk it
    if (step.empty() || step == ".") continue;
    here = step == ".." ? here.parent_path() : here / step;
    if (!is_within(root, here)) return outside(relative, folder, "climbs out of its folder with \"..\"");
    if (!fs::is_symlink(fs::symlink_status(here, trouble))) continue;
    here = fs::canonical(here, trouble);
    if (trouble) return outside(relative, folder, "passes through a broken symbolic link");
    if (is_blob_of_snapshot(root, here)) continue;
    if (!is_within(root, here))
      return outside(relative, folder, "passes through a symbolic link that leaves its folder");
  }
  return folder / wanted;
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
  auto file = OpenFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (file->size() == 0) return MappedFile(nullptr, 0);
  const auto size = static_cast<std::size_t>(file->size());
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
  if (data == MAP_FAILED) return system_failure("map", path, errno);
  return MappedFile(static_cast<const std::byte*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<TemporaryFolder> TemporaryFolder::create(const fs::path& parent, std::string_view prefix) {
  std::string name(prefix);
  if (name.find('/') != std::string::npos || name.find('\0') != std::string::npos) {
    return fail(ErrorKind::internal, "\"" + printable(prefix) + "\" cannot begin the name of a temporary folder");
  }
  std::string pattern = (parent / (name + "XXXXXX")).native();
  if (::mkdtemp(pattern.data()) == nullptr) return system_failure("make a temporary folder in", parent, errno);
  return TemporaryFolder(fs::path(pattern));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, fs::path())) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace culprit
