#include "hub/hf_model.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "download/download_file.h"
#include "download/http.h"
#include "download/told_address.h"
#include "hub/hf_cache.h"
#include "hub/hf_listing.h"
#include "hub/hf_refusal.h"
#include "hub/web_address.h"

namespace culprit {
namespace {

constexpr int hf_ok = 200;
constexpr std::uint64_t largest_listing = UINT64_C(64) << 20;

/// What came of asking for the listing.
struct HfTold {
  std::optional<HfListing> listing = {};
  std::optional<Error> error = {};  ///< why there is none
  bool is_silent = false;           ///< nobody answered, or only that they cannot now
};

std::vector<std::string> paths_of(const HfListing& listing) {
  std::vector<std::string> paths;
  paths.reserve(listing.files.size());
  for (const HfFile& file : listing.files) paths.push_back(file.path);
  return paths;
}

class HfVisit {
 public:
  HfVisit(const HfName& name, const HfSettings& settings, const HubAccess& access, const WeightNames& weight_names)
      : name_(name),
        settings_(settings),
        access_(access),
        weight_names_(weight_names),
        cache_(settings.cache, name.repository) {}

  Result<HfModel> run() {
    if (settings_.is_offline || access_.network == NetworkUse::offline) return here();
    if (is_hf_commit(name_.revision) && !name_.file.empty() && cache_.has(name_.revision, name_.file)) return here();
    const HfTold told = ask();
    if (told.listing) return bring(*told.listing);
    auto older = told.is_silent ? here() : tl::unexpected(*told.error);
    if (!older) return tl::unexpected(*told.error);
    older->stale = told.error->message;
    return older;
  }

 private:
  [[nodiscard]] Result<HfModel> here() const {
    const auto commit = cache_.commit_of(name_.revision);
    if (!commit) return not_kept(cache_.ref(name_.revision));
    if (!name_.file.empty() && !cache_.has(*commit, name_.file)) return not_kept(cache_.file(*commit, name_.file));
    const std::vector<std::string> files = cache_.files(*commit);
    if (files.empty()) return not_kept(cache_.file(*commit, ""));
    const auto path = name_.file.empty() ? hf_file_meant(name_, files) : name_.file;
    if (!path) return tl::unexpected(path.error());
    return HfModel{cache_.file(*commit, *path)};
  }

  [[nodiscard]] tl::unexpected<Error> not_kept(const fs::path& place) const {
    return fail(ErrorKind::not_found,
                printable(word_of(name_), 300) + " is not in the cache, and no network may be asked: there is no " +
                    printable(place.native(), 500),
                "leave out --offline, or HF_HUB_OFFLINE, once");
  }

  [[nodiscard]] HfTold ask() const {
    HttpRequest request{settings_.endpoint + "/api/models/" + as_address(name_.repository) + "/revision/" +
                            replace_all(as_address(name_.revision), "/", "%2F") + "?blobs=true",
                        settings_.token};
    request.most_bytes = largest_listing;
    std::string text;
    const HttpSink sink{{}, [&](std::span<const std::byte> bytes) -> Result<void> {
                          text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                          return {};
                        }};
    const auto answer = http_get(request, sink, access_.stop);
    if (!answer) return {{}, answer.error(), answer.error().kind == ErrorKind::io};
    if (answer->status != hf_ok) return {{}, hf_refusal(name_, settings_, *answer), is_hf_busy(*answer)};
    if (answer->end != HttpEnd::whole)
      return {{}, Error{ErrorKind::io, told_address(answer->url) + " broke off: " + answer->why, "ask again"}, true};
    auto listing = hf_listing_of(text, answer->url);
    if (!listing) return {{}, listing.error()};
    return {std::move(*listing)};
  }

  [[nodiscard]] Result<HfModel> bring(const HfListing& listing) const {
    const std::vector<std::string> paths = paths_of(listing);
    const auto path = hf_file_meant(name_, paths);
    if (!path) return tl::unexpected(path.error());
    const HfFile& file = *std::ranges::find(listing.files, *path, &HfFile::path);
    const auto blob = fetch_blob(listing.commit, file);
    if (!blob) return tl::unexpected(blob.error());
    for (const std::string& one : weights_of(*path, paths, *blob)) {
      const HfFile& weights = *std::ranges::find(listing.files, one, &HfFile::path);
      if (auto ok = fetch(listing.commit, weights); !ok) return tl::unexpected(ok.error());
    }
    if (auto ok = give_place(listing.commit, file, *blob); !ok) return tl::unexpected(ok.error());
    if (auto ok = cache_.keep_ref(name_.revision, listing.commit); !ok) return tl::unexpected(ok.error());
    HfModel model{cache_.file(listing.commit, *path)};
    if (listing.repository != name_.repository) model.moved_to = listing.repository;
    return model;
  }

  /// The files of the repository that hold the model's weights.
  [[nodiscard]] std::set<std::string> weights_of(const std::string& path, const std::vector<std::string>& paths,
                                                 const fs::path& blob) const {
    const std::vector<std::string> by_name = hf_weights_of(path, paths);
    std::set<std::string> weights(by_name.begin(), by_name.end());
    for (const std::string& name : weight_names_ ? weight_names_(blob) : std::vector<std::string>()) {
      std::string named = (fs::path(path).parent_path() / name).lexically_normal().generic_string();
      if (named != path && std::ranges::find(paths, named) != paths.end()) weights.insert(std::move(named));
    }
    return weights;
  }

  [[nodiscard]] Result<void> fetch(const std::string& commit, const HfFile& file) const {
    const auto blob = fetch_blob(commit, file);
    if (!blob) return tl::unexpected(blob.error());
    return give_place(commit, file, *blob);
  }

  [[nodiscard]] Result<void> give_place(const std::string& commit, const HfFile& file, const fs::path& blob) const {
    if (cache_.has(commit, file.path)) return {};
    return cache_.link(commit, file.path, blob.filename().string());
  }

  /// Its bytes are here afterwards, in a file that is called by their hash.
  [[nodiscard]] Result<fs::path> fetch_blob(const std::string& commit, const HfFile& file) const {
    if (cache_.has(commit, file.path)) return cache_.file(commit, file.path);
    const std::string& blob = file.sha256.empty() ? file.git_id : file.sha256;
    if (blob.empty())
      return fail(ErrorKind::bad_input, printable(settings_.endpoint, 200) + " tells no hash of " +
                                            printable(name_.repository + "/" + file.path, 300));
    const fs::path place = cache_.blob(blob);
    if (auto ok = make_folder(place.parent_path()); !ok) return tl::unexpected(ok.error());
    std::error_code error;
    if (!fs::exists(place, error))
      if (auto ok = file.sha256.empty() ? fetch_small(commit, file) : download_to(place, commit, file); !ok)
        return tl::unexpected(ok.error());
    return place;
  }

  /// What lies in git itself is known by git's hash, so it gets its name when that is right.
  [[nodiscard]] Result<void> fetch_small(const std::string& commit, const HfFile& file) const {
    const fs::path place = cache_.blob(file.git_id), unchecked = place.native() + ".unchecked";
    if (auto ok = download_to(unchecked, commit, file); !ok) return ok;
    const auto name = git_blob_name(unchecked);
    std::error_code error;
    if (name && *name == file.git_id) fs::rename(unchecked, place, error);
    if (fs::exists(place, error)) return {};  // another process may have been quicker
    fs::remove(unchecked, error);
    if (!name) return tl::unexpected(name.error());
    if (*name == file.git_id) return fail(ErrorKind::io, "cannot make " + printable(place.native(), 500));
    return fail(ErrorKind::bad_input,
                printable(settings_.endpoint, 200) + " sent bytes of " +
                    printable(name_.repository + "/" + file.path, 300) + " with the git hash " + *name + ", and " +
                    file.git_id + " was promised",
                "nothing was kept");
  }

  [[nodiscard]] Result<void> download_to(const fs::path& place, const std::string& commit, const HfFile& file) const {
    Download download{
        settings_.endpoint + "/" + as_address(name_.repository) + "/resolve/" + commit + "/" + as_address(file.path),
        place, settings_.token, file.sha256};
    if (file.bytes) download.most_bytes = *file.bytes;
    const auto answer = download_file(download, access_.progress, access_.stop);
    if (!answer) return tl::unexpected(answer.error());
    if (answer->status != hf_ok) return tl::unexpected(hf_refusal(name_, settings_, *answer));
    return {};
  }

  const HfName& name_;
  const HfSettings& settings_;
  const HubAccess& access_;
  const WeightNames& weight_names_;
  HfCache cache_;
};

}  // namespace

Result<HfModel> hf_model(const HfName& name, const HfSettings& settings, const HubAccess& access,
                         const WeightNames& weight_names) {
  return HfVisit(name, settings, access, weight_names).run();
}

}  // namespace culprit
