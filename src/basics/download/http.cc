#include "download/http.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/lower_case.h"
#include "base/text.h"
#include "download/curl_library.h"
#include "download/told_address.h"

namespace culprit {
namespace {

constexpr int most_redirects = 10;
constexpr std::size_t most_headers = 200;
constexpr std::size_t largest_left_out_body = std::size_t{1} << 20;
constexpr long connect_seconds = 15;

struct EndHandle {
  void operator()(CURL* handle) const { CURL_FUNCTION(curl_easy_cleanup)(handle); }
};
using Handle = std::unique_ptr<CURL, EndHandle>;
struct EndUrl {
  void operator()(CURLU* url) const { CURL_FUNCTION(curl_url_cleanup)(url); }
};
struct EndList {
  void operator()(curl_slist* list) const { CURL_FUNCTION(curl_slist_free_all)(list); }
};

bool start_curl() {
  static const bool is_started = CURL_FUNCTION(curl_global_init)(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return is_started;
}

/// Whom a token may be sent to.
struct Origin {
  std::string scheme, host, port;
  bool operator==(const Origin&) const = default;
};

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (CURL_FUNCTION(curl_url_get)(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return "";
  std::string copy = text;
  CURL_FUNCTION(curl_free)(text);
  return copy;
}

Result<Origin> origin_of(const std::string& url) {
  const std::unique_ptr<CURLU, EndUrl> parsed(CURL_FUNCTION(curl_url)());
  if (parsed && CURL_FUNCTION(curl_url_set)(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK) {
    Origin origin{lower_case(part_of(parsed.get(), CURLUPART_SCHEME)),
                  lower_case(part_of(parsed.get(), CURLUPART_HOST)), part_of(parsed.get(), CURLUPART_PORT)};
    if (origin.scheme == "http" || origin.scheme == "https") return origin;
  }
  return fail(ErrorKind::bad_input, told_address(url) + " is no address that begins with http:// or https://");
}

/// Where the certificates of authorities are: as people say, or where systems have them. A library that was built for
/// another system looks elsewhere.
std::string authorities() {
  for (const char* name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char* file = std::getenv(name); file != nullptr && *file != 0) return file;
  for (const char* file :
       {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"}) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) return file;
  }
  return "";
}

/// One request and its answer, without redirects.
class Exchange {
 public:
  Exchange(const HttpRequest& request, const HttpSink& sink, const Stop& stop, bool may_send_token)
      : request_(request), sink_(sink), stop_(stop), may_send_token_(may_send_token) {}

  Result<HttpAnswer> run(const std::string& url) {
    answer_.url = url;
    if (!start_curl()) return fail(ErrorKind::internal, "libcurl does not start");
    handle_.reset(CURL_FUNCTION(curl_easy_init)());
    if (!handle_) return fail(ErrorKind::internal, "libcurl gives no handle");
    set_up(url);
    const CURLcode code = CURL_FUNCTION(curl_easy_perform)(handle_.get());
    if (error_) return tl::unexpected(*error_);
    if (is_stopped(stop_)) return ended_early();
    if (code != CURLE_OK && !was_cut_off(code)) return no_answer(url, code);
    if (auto told = tell_head(); !told) return tl::unexpected(told.error());
    return answer_;
  }

  /// The address to which the server sends us; "" where it does not.
  [[nodiscard]] std::string sent_to() const {
    char* url = nullptr;
    const bool is_redirect = answer_.status >= 300 && answer_.status < 400;
    if (is_redirect) CURL_FUNCTION(curl_easy_getinfo)(handle_.get(), CURLINFO_REDIRECT_URL, &url);
    return url == nullptr ? "" : url;
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    CURL_FUNCTION(curl_easy_setopt)(handle_.get(), option, value);
  }

  void set_up(const std::string& url) {
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_USERAGENT, "culprit");
    set(CURLOPT_CONNECTTIMEOUT, connect_seconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(request_.stall_seconds));
    set(CURLOPT_ERRORBUFFER, said_.data());
    set(CURLOPT_WRITEFUNCTION, &Exchange::take_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Exchange::take_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_XFERINFOFUNCTION, &Exchange::asked_to_stop);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    if (const std::string file = authorities(); !file.empty()) set(CURLOPT_CAINFO, file.c_str());
    if (may_send_token_ && !request_.token.empty()) add_header("Authorization: Bearer " + request_.token);
    if (request_.from > 0) {
      add_header("Range: bytes=" + std::to_string(request_.from) + "-");
      if (!request_.if_etag.empty()) add_header("If-Range: " + request_.if_etag);
    }
    if (headers_) set(CURLOPT_HTTPHEADER, headers_.get());
  }

  void add_header(const std::string& line) {
    curl_slist* shorter = headers_.release();
    curl_slist* longer = CURL_FUNCTION(curl_slist_append)(shorter, line.c_str());  // null where there is no memory
    headers_.reset(longer == nullptr ? shorter : longer);
  }

  static std::size_t take_header(char* data, std::size_t size, std::size_t count, void* exchange) {
    static_cast<Exchange*>(exchange)->add_answer_line({data, size * count});
    return size * count;
  }

  void add_answer_line(std::string_view line) {
    if (line.starts_with("HTTP/")) answer_.headers.clear();  // of an answer before this one, such as 100
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || answer_.headers.size() >= most_headers) return;
    answer_.headers[lower_case(std::string(line.substr(0, colon)))] = std::string(trim(line.substr(colon + 1)));
  }

  static std::size_t take_body(char* data, std::size_t size, std::size_t count, void* exchange) {
    auto& self = *static_cast<Exchange*>(exchange);
    const auto taken = self.add_body({reinterpret_cast<const std::byte*>(data), size * count});
    if (taken) return size * count;
    self.error_ = taken.error();
    return 0;
  }

  [[nodiscard]] bool has_file() const { return answer_.status == 200 || answer_.status == 206; }

  Result<void> add_body(std::span<const std::byte> bytes) {
    if (auto told = tell_head(); !told) return told;
    got_ += bytes.size();
    if (got_ > (has_file() ? request_.most_bytes : largest_left_out_body))
      return fail(ErrorKind::bad_input, told_address(answer_.url) + " sends more than " +
                                            human_bytes(has_file() ? request_.most_bytes : largest_left_out_body));
    return has_file() && sink_.body ? sink_.body(bytes) : Result<void>();
  }

  Result<void> tell_head() {
    if (is_head_told_) return {};
    is_head_told_ = true;
    long status = 0;
    CURL_FUNCTION(curl_easy_getinfo)(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    answer_.status = static_cast<int>(status);
    return has_file() && sink_.head ? sink_.head(answer_) : Result<void>();
  }

  static int asked_to_stop(void* exchange, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return is_stopped(static_cast<Exchange*>(exchange)->stop_) ? 1 : 0;
  }

  /// It had begun to answer.
  bool was_cut_off(CURLcode code) {
    constexpr std::array cut{CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_OPERATION_TIMEDOUT,
                             CURLE_HTTP2_STREAM, CURLE_HTTP2,      CURLE_SSL_CONNECT_ERROR};
    if (answer_.headers.empty() || std::ranges::find(cut, code) == cut.end()) return false;
    answer_.end = HttpEnd::cut_off;
    answer_.why = code == CURLE_OPERATION_TIMEDOUT
                      ? "nothing came for " + std::to_string(request_.stall_seconds) + " seconds"
                      : "the connection was closed";
    return true;
  }

  [[nodiscard]] tl::unexpected<Error> no_answer(const std::string& url, CURLcode code) const {
    const std::string said = said_[0] != 0 ? said_.data() : CURL_FUNCTION(curl_easy_strerror)(code);
    std::string hint = "try again later";
    if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_PROXY)
      hint = "is there a network? What was downloaded before needs none";
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
      hint = "SSL_CERT_FILE names the certificates of authorities to trust";
    return fail(ErrorKind::io, "no answer from " + told_address(url) + ": " + printable(said, 300), hint);
  }

  const HttpRequest& request_;
  const HttpSink& sink_;
  const Stop& stop_;
  bool may_send_token_;
  Handle handle_;
  std::unique_ptr<curl_slist, EndList> headers_;
  std::array<char, CURL_ERROR_SIZE> said_{};
  HttpAnswer answer_;
  std::uint64_t got_ = 0;
  bool is_head_told_ = false;
  std::optional<Error> error_;
};

}  // namespace

std::string HttpAnswer::header(const std::string& name) const {
  const auto at = headers.find(name);
  return at == headers.end() ? "" : at->second;
}

std::optional<std::uint64_t> HttpAnswer::announced() const {
  const std::string text = header("content-length");
  std::uint64_t bytes = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return bytes;
}

Result<HttpAnswer> http_get(const HttpRequest& request, const HttpSink& sink, const Stop& stop) {
  if (auto loaded = load_curl(); !loaded) return tl::unexpected(loaded.error());
  const auto first = origin_of(request.url);
  if (!first) return tl::unexpected(first.error());
  std::string url = request.url;
  for (int redirect = 0; redirect <= most_redirects; ++redirect) {
    const auto here = origin_of(url);
    if (!here) return tl::unexpected(here.error());
    if (first->scheme == "https" && here->scheme != "https")
      return fail(ErrorKind::bad_input,
                  told_address(request.url) + " sends us to " + told_address(url) + ", which is not encrypted");
    Exchange exchange(request, sink, stop, *here == *first);
    auto answer = exchange.run(url);
    if (!answer) return answer;
    const std::string next = exchange.sent_to();
    if (next.empty()) return answer;
    url = next;
  }
  return fail(ErrorKind::bad_input,
              told_address(request.url) + " sends us elsewhere more than " + std::to_string(most_redirects) + " times");
}

}  // namespace culprit
