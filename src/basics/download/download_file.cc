#include "download/download_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/flush_folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "download/told_address.h"

namespace culprit {
namespace {

constexpr int most_breaks = 5;
constexpr int status_ok = 200, status_partial = 206, status_no_such_range = 416;

/// The file while it is not whole, and beside it the ETag of what its bytes are of.
class PartFile {
 public:
  explicit PartFile(const fs::path& file) : path_(file.native() + ".part"), etag_(file.native() + ".part.etag") {}
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() { close(); }

  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(path_, error);
    return error ? 0 : bytes;
  }
  /// "" where one cannot go on.
  [[nodiscard]] std::string etag() const {
    constexpr std::uint64_t longest = 1024;
    return read_file(etag_, longest).value_or("");
  }

  Result<void> open(bool from_its_end) {
    close();
    descriptor_ =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (from_its_end ? O_APPEND : O_TRUNC), 0644);
    return descriptor_ < 0 ? failed("make") : Result<void>();
  }
  Result<void> remember(const std::string& etag) const {
    const bool is_strong = etag.starts_with('"');
    return write_file_atomic(etag_, is_strong ? etag : "");
  }
  Result<void> append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return failed("write");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
  }
  Result<void> become(const fs::path& file) {
    if (descriptor_ >= 0 && ::fsync(descriptor_) != 0) return failed("write");
    close();
    std::error_code error;
    fs::rename(path_, file, error);
    if (error) return fail(ErrorKind::io, "cannot make " + printable(file.native(), 500) + ": " + error.message());
    fs::remove(etag_, error);
    flush_folder_of(file);
    return {};
  }
  void remove() {
    close();
    std::error_code ignored;
    fs::remove(path_, ignored);
    fs::remove(etag_, ignored);
  }

 private:
  void close() {
    if (const int descriptor = std::exchange(descriptor_, -1); descriptor >= 0) ::close(descriptor);
  }
  [[nodiscard]] tl::unexpected<Error> failed(const char* doing) const {
    const bool is_full = errno == ENOSPC || errno == EDQUOT;
    return fail(ErrorKind::io,
                std::string("cannot ") + doing + " " + printable(path_.native(), 500) + ": " +
                    std::generic_category().message(errno),
                is_full ? "make room there and ask again: it goes on where it stopped" : "");
  }
  fs::path path_, etag_;
  int descriptor_ = -1;
};

class FileDownload {
 public:
  FileDownload(const Download& download, const DownloadProgress& progress, const Stop& stop)
      : download_(download), progress_(progress), stop_(stop), part_(download.file) {}

  Result<HttpAnswer> run() {
    for (int breaks = 0;; ++breaks) {
      const std::uint64_t before = part_.size();
      auto answer = ask();
      if (!answer) return answer;
      if (answer->status == status_no_such_range && before > 0) {  // what is there is of another file
        part_.remove();
        continue;
      }
      if (answer->status != status_ok && answer->status != status_partial) return answer;
      if (answer->end == HttpEnd::whole) return finish(std::move(*answer));
      if (breaks >= most_breaks || part_.size() <= before) return broken(*answer);
    }
  }

 private:
  Result<HttpAnswer> ask() {
    HttpRequest request{download_.url, download_.token};
    request.most_bytes = download_.most_bytes;
    request.stall_seconds = download_.stall_seconds;
    if (const std::string etag = part_.etag(); !etag.empty()) {
      request.from = part_.size();
      request.if_etag = etag;
    }
    const HttpSink sink{[&](const HttpAnswer& answer) { return begin(answer, request.from); },
                        [&](std::span<const std::byte> bytes) { return add(bytes); }};
    return http_get(request, sink, stop_);
  }

  Result<void> begin(const HttpAnswer& answer, std::uint64_t from) {
    const bool goes_on = answer.status == status_partial;
    if (goes_on && (from == 0 || !answer.header("content-range").starts_with("bytes " + std::to_string(from) + "-")))
      return fail(ErrorKind::bad_input, told_address(answer.url) + " sends another part than it was asked for");
    done_ = goes_on ? from : 0;
    total_ = answer.announced();
    if (total_) *total_ += done_;
    if (auto ok = expect_room(); !ok) return ok;
    if (auto ok = part_.open(goes_on); !ok || goes_on) return ok;
    return part_.remember(answer.header("etag"));
  }

  [[nodiscard]] Result<void> expect_room() const {
    if (!total_) return {};
    if (*total_ > download_.most_bytes)
      return fail(ErrorKind::bad_input, told_address(download_.url) + " announces " + human_bytes(*total_) + ", and " +
                                            human_bytes(download_.most_bytes) + " are the most");
    std::error_code error;
    const fs::space_info space = fs::space(download_.file.parent_path(), error);
    if (error || space.available >= *total_ - done_) return {};
    return fail(ErrorKind::io,
                told_address(download_.url) + " has " + human_bytes(*total_ - done_) + " to come, and the disk of " +
                    printable(download_.file.parent_path().native(), 300) + " has " + human_bytes(space.available),
                "make room there");
  }

  Result<void> add(std::span<const std::byte> bytes) {
    if (auto ok = part_.append(bytes); !ok) return ok;
    done_ += bytes.size();
    if (progress_) progress_(done_, total_);
    return {};
  }

  Result<HttpAnswer> finish(HttpAnswer answer) {
    if (part_.size() == 0)  // a body without a byte
      if (auto ok = part_.open(false); !ok) return tl::unexpected(ok.error());
    if (!download_.sha256.empty()) {
      const auto sha256 = sha256_of_file(part_.path());
      if (!sha256) return tl::unexpected(sha256.error());
      if (*sha256 != download_.sha256) {
        part_.remove();
        return fail(ErrorKind::bad_input,
                    told_address(answer.url) + " sent bytes with the sha256 " + *sha256 + ", and " + download_.sha256 +
                        " was promised",
                    "nothing was kept; the file there, or the promise, is wrong");
      }
    }
    if (auto ok = part_.become(download_.file); !ok) return tl::unexpected(ok.error());
    answer.status = status_ok;
    return answer;
  }

  [[nodiscard]] tl::unexpected<Error> broken(const HttpAnswer& answer) const {
    const std::string of = total_ ? " of " + human_bytes(*total_) : "";
    return fail(ErrorKind::io,
                told_address(answer.url) + " broke off after " + human_bytes(done_) + of + ": " + answer.why,
                "ask again: it goes on where it stopped, if the server can");
  }

  const Download& download_;
  const DownloadProgress& progress_;
  const Stop& stop_;
  PartFile part_;
  std::uint64_t done_ = 0;
  std::optional<std::uint64_t> total_;
};

}  // namespace

Result<HttpAnswer> download_file(const Download& download, const DownloadProgress& progress, const Stop& stop) {
  const auto lock = FileLock::take(download.file.native() + ".lock", stop);
  if (!lock) return tl::unexpected(lock.error());
  std::error_code error;
  if (fs::exists(download.file, error)) return HttpAnswer{status_ok, download.url};
  return FileDownload(download, progress, stop).run();
}

}  // namespace culprit
