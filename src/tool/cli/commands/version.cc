#include "cli/commands/version.h"

#include <archive.h>
#include <curl/curlver.h>
#include <fmt/format.h>
#include <google/protobuf/stubs/common.h>
#include <openssl/crypto.h>
#include <spdlog/version.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <zip.h>

#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "app/tool_version.h"
#include "cli/exit_code.h"
#include "optimizer/optimizer.h"
#include "runtime/find_library.h"

namespace culprit {
namespace {

/// 90100 -> "9.1.0", as fmt and xxHash count.
std::string dotted(unsigned number) {
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

template <class... Parts>
std::string dotted(int first, Parts... parts) {
  std::string text = std::to_string(first);
  ((text += "." + std::to_string(parts)), ...);
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {
      {"ONNX Optimizer", make_onnx_optimizer()->version()},
      {"ONNX", onnx_version()},
      {"protobuf", google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION)},
      {"CLI11", CLI11_VERSION},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"fmt", dotted(static_cast<unsigned>(FMT_VERSION))},
      {"spdlog", dotted(SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH)},
      {"tl-expected", dotted(TL_EXPECTED_VERSION_MAJOR, TL_EXPECTED_VERSION_MINOR, TL_EXPECTED_VERSION_PATCH)},
      {"xxHash", dotted(XXH_versionNumber())},
      {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"SQLite", sqlite3_libversion()},
      {"libzip", zip_libzip_version()},
      {"libcurl", LIBCURL_VERSION},
      {"libarchive", ARCHIVE_VERSION_ONLY_STRING},
      {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
  };
}

int run_version(Terminal& terminal) {
  std::string text = fmt::format("culprit {}\n", tool_version());
  for (const auto& [name, version] : library_versions()) text += fmt::format("  {:<15} {}\n", name, version);
  const auto runtime = find_onnxruntime("");
  text += fmt::format("  {:<15} {}\n", "ONNX Runtime",
                      runtime ? runtime->string() : "not found; `culprit doctor` says more");
  const auto printed = terminal.print(text);
  if (printed) return exit_code::nothing_wrong;
  terminal.complain(printed.error().text());
  return exit_code_of(printed.error().kind);
}

}  // namespace culprit
