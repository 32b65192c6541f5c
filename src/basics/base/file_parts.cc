#include "base/file_parts.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/open_file.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t most_pieces = IOV_MAX;

/// What the system takes in one call; the views are only read.
std::vector<iovec> vector_of(std::span<const std::string_view> pieces) {
  std::vector<iovec> vector;
  vector.reserve(pieces.size());
  for (const std::string_view piece : pieces)
    if (!piece.empty()) vector.push_back({const_cast<char*>(piece.data()), piece.size()});
  return vector;
}

/// Leaves out what was written of them; gives how many are done whole.
std::size_t pass_over(std::span<iovec> rest, std::size_t written) {
  std::size_t whole = 0;
  while (whole < rest.size() && written >= rest[whole].iov_len) written -= rest[whole++].iov_len;
  if (whole < rest.size()) {
    rest[whole].iov_base = static_cast<char*>(rest[whole].iov_base) + written;
    rest[whole].iov_len -= written;
  }
  return whole;
}

}  // namespace

Result<FileParts> FileParts::open(const std::filesystem::path& path) {
  auto file = OpenFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return FileParts(std::make_shared<const OpenFile>(std::move(*file)), path);
}

std::uint64_t FileParts::size() const { return file_->size(); }

Result<void> FileParts::read(std::uint64_t at, std::span<std::byte> into) const {
  while (!into.empty()) {
    const auto got = ::pread(file_->descriptor(), into.data(), into.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure("read", path_, errno);
    if (got == 0)
      return fail(ErrorKind::bad_input, printable(path_.string()) + " ends after " + std::to_string(at) +
                                            " bytes: it was cut short while it was read");
    at += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

Result<GrowingFile> GrowingFile::create(const std::filesystem::path& path) {
  if (auto usable = check_path(path); !usable) return tl::unexpected(usable.error());
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return system_failure("write", path, errno);
  return GrowingFile(descriptor, path);
}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> GrowingFile::append(std::span<const std::string_view> pieces) {
  std::vector<iovec> vector = vector_of(pieces);
  for (std::span<iovec> rest(vector); !rest.empty();) {
    const auto written = ::writev(descriptor_, rest.data(), static_cast<int>(std::min(rest.size(), most_pieces)));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_failure("write", path_, errno);
    size_ += static_cast<std::uint64_t>(written);
    rest = rest.subspan(pass_over(rest, static_cast<std::size_t>(written)));
  }
  return {};
}

}  // namespace culprit
