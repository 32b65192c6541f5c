#pragma once
// GET by HTTP, in pieces. Nothing that a server says is believed: not its sizes, not where it sends us.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "base/stop.h"

namespace culprit {

struct HttpRequest {
  std::string url;           ///< http:// or https://
  std::string token = {};    ///< "": none; else sent as "Authorization: Bearer" to the host of `url`, and to no other
  std::uint64_t from = 0;    ///< the first byte of the file that is wanted
  std::string if_etag = {};  ///< with `from`: only if the file has this ETag still; else it is sent whole (status 200)
  std::uint64_t most_bytes = UINT64_C(1) << 40;  ///< a longer body is an Error
  int stall_seconds = 30;                        ///< without a byte for so long, the connection counts as cut off
};

/// How the body ended.
enum class HttpEnd {
  whole,    ///< as the server had announced it, or as it closed it
  cut_off,  ///< before that
};

struct HttpAnswer {
  int status = 0;                                   ///< 200, 206, 404 ...
  std::string url;                                  ///< that answered, after redirects
  std::map<std::string, std::string> headers = {};  ///< of the last answer; names in lower case
  HttpEnd end = HttpEnd::whole;
  std::string why = {};  ///< of a body that was cut off: "the connection was closed"

  /// "" where it was not sent.
  [[nodiscard]] std::string header(const std::string& name) const;
  /// Bytes of the body as the server announces them; absent where it does not, or says nonsense.
  [[nodiscard]] std::optional<std::uint64_t> announced() const;
};

/// What the body is given to. `head` comes once, before the first byte. An Error of either ends the transfer, and is
/// the answer. Bodies of other statuses than 200 and 206 are left out.
struct HttpSink {
  std::function<Result<void>(const HttpAnswer&)> head = {};
  std::function<Result<void>(std::span<const std::byte>)> body = {};
};

/// Follows up to ten redirects, none from https to http. Statuses of 400 and more are answers, no Errors. Errors: io
/// where no answer came, with what to do; bad_input for a URL that is none, a redirect that is refused, or a body that
/// is too long; interrupted.
Result<HttpAnswer> http_get(const HttpRequest& request, const HttpSink& sink, const Stop& stop = {});

}  // namespace culprit
