#pragma once
// A file from the network: whole and right, or not there.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "download/http.h"

namespace culprit {

struct Download {
  std::string url;
  std::filesystem::path file;  ///< where it goes; its folder is there
  std::string token = {};      ///< HttpRequest::token
  std::string sha256 = {};     ///< 64 lower-case hex digits that it must have; "" where nobody says
  std::uint64_t most_bytes = UINT64_C(1) << 40;
  int stall_seconds = 30;
};

/// Bytes that are there, and of how many, where the server says.
using DownloadProgress = std::function<void(std::uint64_t done, std::optional<std::uint64_t> total)>;

/// Downloads to `file`.part, goes on there where an earlier call or a broken connection stopped, if the server still
/// has the same file (a strong ETag), and gives it its name when all of it is there and its sha256 is right. Of several
/// processes that want it, one downloads and the others wait. The answer's status is 200 where the file is there now,
/// or was already; of any other status nothing was written. Errors: those of http_get; io for a full disk, and where it
/// breaks off again and again; bad_input where the bytes are not the promised ones: nothing is kept then.
Result<HttpAnswer> download_file(const Download& download, const DownloadProgress& progress = {},
                                 const Stop& stop = {});

}  // namespace culprit
