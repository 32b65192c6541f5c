#include "hub/hub_cache.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/files_below.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "download/told_address.h"
#include "hub/promised_file.h"
#include "hub/unpack_archive.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_manifest = UINT64_C(256) << 20;
constexpr int status_ok = 200, status_unauthorized = 401, status_forbidden = 403, status_not_found = 404,
              status_gone = 410, status_too_many = 429;

/// What the answer of a server means where it is not the file.
tl::unexpected<Error> not_sent(const HttpAnswer& answer, const char* if_missing) {
  const std::string from = told_address(answer.url) + " answers with status " + std::to_string(answer.status);
  switch (answer.status) {
    case status_unauthorized:
    case status_forbidden:
      return fail(ErrorKind::io, from + ": it is not for everybody");
    case status_not_found:
    case status_gone:
      return fail(ErrorKind::not_found, from + ": it is not there", if_missing);
    case status_too_many:
      return fail(ErrorKind::io, from + ": too much was asked for", "try again later");
    default:
      return fail(ErrorKind::io, from, "try again later");
  }
}

Result<void> download(const Download& wanted, const HubAccess& access, const char* if_missing) {
  const auto answer = download_file(wanted, access.progress, access.stop);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->status != status_ok) return not_sent(*answer, if_missing);
  return {};
}

tl::unexpected<Error> not_here(const std::string& what) {
  return fail(ErrorKind::not_found, printable(what, 300) + " is not in the cache, and --offline asks no network",
              "leave out --offline, or CULPRIT_OFFLINE, once");
}

constexpr const char* manifest_may_be_old = "the manifest may be older than the hub; --refresh reads it anew";

/// The file came without a sha256, so the hub may have another one by now; or its bytes are no longer those that came.
bool is_doubtful(const fs::path& here, const HubFile& file) {
  return file.sha256.empty() || sha256_of_file(here).value_or("") != file.sha256;
}

bool is_younger_than_a_day(const fs::path& file) {
  std::error_code error;
  const auto written = fs::last_write_time(file, error);
  return !error && fs::file_time_type::clock::now() - written < std::chrono::hours(24);
}

/// Whichever it calls itself, it is a name in our folder.
Result<std::string> file_name_of(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (name.empty() || name == "." || name == "..")
    return fail(ErrorKind::bad_input, "a manifest names a file '" + printable(path, 200) + "'");
  return name;
}

/// The one with test data beside it, or else the only one.
std::optional<fs::path> model_in(const std::vector<fs::path>& files) {
  std::vector<fs::path> models;
  for (const fs::path& file : files)
    if (file.extension() == ".onnx" && !file.filename().string().starts_with('.')) models.push_back(file);
  for (const fs::path& model : models) {
    std::error_code error;
    if (fs::exists(model.parent_path() / "test_data_set_0", error)) return model;
  }
  if (models.size() == 1) return models.front();
  return std::nullopt;
}

}  // namespace

Result<HubModels> HubCache::models_of(const HubPlace& hub, const HubAccess& access) const {
  const auto read = [&](const fs::path& file) -> Result<HubModels> {
    const auto text = read_file(file, largest_manifest);
    if (!text) return tl::unexpected(text.error());
    auto models = hub_manifest_of(*text, hub.manifest);
    if (!models) return tl::unexpected(models.error());
    return HubModels{std::move(*models)};
  };
  if (hub.is_folder) return read(hub.manifest);
  const fs::path file = folder_ / "manifests" / hash128(hub.manifest).hex() / hub_manifest_name;
  std::error_code error;
  const bool is_here = fs::exists(file, error);
  if (is_here && (access.network == NetworkUse::offline || (!access.refresh && is_younger_than_a_day(file))))
    return read(file);
  if (access.network == NetworkUse::offline) return not_here(hub.manifest);
  if (auto ok = make_folder(file.parent_path()); !ok) return tl::unexpected(ok.error());
  const auto beside = TemporaryFolder::create(file.parent_path(), ".fresh-");
  if (!beside) return tl::unexpected(beside.error());
  const fs::path fresh = beside->path() / hub_manifest_name;
  auto came = download({hub.manifest, fresh, "", "", largest_manifest}, access, "a hub has its list of models there")
                  .and_then([&] { return read(fresh); });
  if (came) {
    fs::rename(fresh, file, error);
    return came;
  }
  if (!is_here || came.error().kind == ErrorKind::interrupted) return came;
  auto older = read(file);
  if (older) older->stale = came.error().message;
  return older;
}

Result<fs::path> HubCache::fetched(const HubPlace& hub, const HubFile& file, const HubAccess& access) const {
  const auto from = place_of_file(hub, file.path);
  if (!from) return tl::unexpected(from.error());
  const auto name = file_name_of(file.path);
  if (!name) return tl::unexpected(name.error());
  const fs::path folder =
      folder_ / "models" / (file.sha256.empty() ? "without-sha256-" + hash128(*from).hex() : file.sha256);
  const fs::path place = folder / *name;
  std::error_code error;
  const bool is_here = fs::exists(place, error);
  if (is_here && !(access.refresh && is_doubtful(place, file))) return place;
  if (access.network == NetworkUse::offline) return not_here(*from);
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  const fs::path coming = is_here ? fs::path(place.native() + ".fresh") : place;
  Download wanted{*from, coming, "", file.sha256};
  if (file.bytes) wanted.most_bytes = *file.bytes;
  auto ok = download(wanted, access, manifest_may_be_old);
  if (ok) {  // a server that says nothing about the size may have stopped too early
    ok = expect_promised_bytes(coming, file, file.path);
    if (!ok) fs::remove(coming, error);
  }
  if (!ok && ok.error().kind == ErrorKind::bad_input && ok.error().hint.empty()) ok.error().hint = manifest_may_be_old;
  if (!ok) return tl::unexpected(ok.error());
  if (coming != place) fs::rename(coming, place, error);
  if (error) return fail(ErrorKind::io, "cannot replace " + printable(place.string(), 300) + ": " + error.message());
  return place;
}

Result<fs::path> HubCache::model(const HubPlace& hub, const HubModel& model, const HubAccess& access) const {
  if (!hub.is_folder) return fetched(hub, model.file, access);
  const auto file = place_of_file(hub, model.file.path);
  if (!file) return tl::unexpected(file.error());
  std::error_code error;
  if (!fs::exists(*file, error))
    return fail(ErrorKind::not_found, printable(*file, 300) + " is not there, and the manifest of the hub names it");
  return fs::path(*file);
}

Result<fs::path> HubCache::model_with_data(const HubPlace& hub, const HubModel& model, const HubAccess& access) const {
  if (!model.with_data) return fail(ErrorKind::not_found, "the hub has no test data of " + printable(model.name, 100));
  const auto archive =
      hub.is_folder
          ? place_of_file(hub, model.with_data->path).map([](const std::string& file) { return fs::path(file); })
          : fetched(hub, *model.with_data, access);
  if (!archive) return tl::unexpected(archive.error());
  const bool was_verified = !hub.is_folder && !model.with_data->sha256.empty();  // when it came
  const auto digest = was_verified ? model.with_data->sha256 : promised_digest(*archive, *model.with_data);
  if (!digest) return tl::unexpected(digest.error());
  const fs::path folder = folder_ / "unpacked" / *digest;
  if (auto ok = make_folder(folder.parent_path()); !ok) return tl::unexpected(ok.error());
  const auto lock = FileLock::take(folder.native() + ".lock", access.stop);
  if (!lock) return tl::unexpected(lock.error());
  std::error_code error;
  if (!fs::exists(folder, error))
    if (auto ok = unpack_archive(*archive, folder, {}, access.stop); !ok) return tl::unexpected(ok.error());
  const auto files = files_below(folder);
  if (!files) return tl::unexpected(files.error());
  const auto found = model_in(*files);
  if (!found) return fail(ErrorKind::bad_input, printable(archive->string(), 300) + " holds no model, or several");
  return *found;
}

}  // namespace culprit
