#include "hub/hf_cache.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <system_error>

#include "base/file.h"
#include "base/files_below.h"
#include "base/folder.h"
#include "base/text.h"
#include "hub/hf_name.h"

namespace culprit {
namespace {

/// "org/model" -> "models--org--model".
std::string hf_folder_name(const std::string& repository) { return "models--" + replace_all(repository, "/", "--"); }

}  // namespace

HfCache::HfCache(const fs::path& cache, const std::string& repository) : folder_(cache / hf_folder_name(repository)) {}

fs::path HfCache::ref(const std::string& revision) const { return folder_ / "refs" / revision; }

fs::path HfCache::file(const std::string& commit, const std::string& path) const {
  return folder_ / "snapshots" / commit / path;
}

fs::path HfCache::blob(const std::string& name) const { return folder_ / "blobs" / name; }

std::optional<std::string> HfCache::commit_of(const std::string& revision) const {
  if (is_hf_commit(revision)) return revision;
  constexpr std::uint64_t longest = 1024;
  const std::string text = read_file(ref(revision), longest).value_or("");
  std::string commit(trim(text));
  if (!is_hf_commit(commit)) return std::nullopt;
  return commit;
}

bool HfCache::has(const std::string& commit, const std::string& path) const {
  std::error_code error;
  return fs::is_regular_file(file(commit, path), error);
}

std::vector<std::string> HfCache::files(const std::string& commit) const {
  const fs::path root = folder_ / "snapshots" / commit;
  std::vector<std::string> paths;
  const auto files = files_below(root);
  if (!files) return paths;
  paths.reserve(files->size());
  for (const fs::path& file : *files) paths.push_back(file.lexically_relative(root).generic_string());
  return paths;
}

Result<void> HfCache::keep_ref(const std::string& revision, const std::string& commit) const {
  if (is_hf_commit(revision) || commit_of(revision) == commit) return {};
  const fs::path file = ref(revision);
  if (auto ok = make_folder(file.parent_path()); !ok) return ok;
  return write_file_atomic(file, commit);
}

Result<void> HfCache::link(const std::string& commit, const std::string& path, const std::string& blob) const {
  const fs::path place = file(commit, path);
  if (auto ok = make_folder(place.parent_path()); !ok) return ok;
  const auto beside = TemporaryFolder::create(folder_, ".link-");
  if (!beside) return tl::unexpected(beside.error());
  const fs::path fresh = beside->path() / "link";
  std::error_code error;
  fs::create_symlink(this->blob(blob).lexically_relative(place.parent_path()), fresh, error);
  if (!error) fs::rename(fresh, place, error);
  if (error) return fail(ErrorKind::io, "cannot make " + printable(place.native(), 500) + ": " + error.message());
  return {};
}

Result<std::string> git_blob_name(const fs::path& file) {
  const auto content = MappedFile::open(file);
  if (!content) return tl::unexpected(content.error());
  const std::string head = "blob " + std::to_string(content->bytes().size());
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const bool is_made = context && EVP_DigestInit_ex(context.get(), EVP_sha1(), nullptr) == 1 &&
                       EVP_DigestUpdate(context.get(), head.c_str(), head.size() + 1) == 1 &&
                       EVP_DigestUpdate(context.get(), content->bytes().data(), content->bytes().size()) == 1 &&
                       EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!is_made) return fail(ErrorKind::internal, "libcrypto has no SHA-1, by which git names files");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string name;
  for (unsigned i = 0; i < size; ++i) {
    name += digits[digest[i] >> 4U];
    name += digits[digest[i] & 15U];
  }
  return name;
}

}  // namespace culprit
