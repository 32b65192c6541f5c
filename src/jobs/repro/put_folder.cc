#include "repro/put_folder.h"

#include <system_error>

#include "base/text.h"

namespace culprit {

tl::unexpected<Error> cannot_put(const std::string& what, const fs::path& path, const std::error_code& error) {
  return fail(ErrorKind::io, "cannot " + what + " " + printable(path.string()) + ": " + error.message(),
              "check the permissions and the free space");
}

Result<void> put_folder(const fs::path& folder, const std::function<Result<void>(const fs::path& fresh)>& fill) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (error) return cannot_put("make the folder", folder.parent_path(), error);
  auto beside = TemporaryFolder::create(folder.parent_path(), ".repro-");
  if (!beside) return tl::unexpected(beside.error());
  const fs::path fresh = beside->path() / "repro";
  fs::create_directory(fresh, error);
  if (error) return cannot_put("make the folder", fresh, error);
  if (auto ok = fill(fresh); !ok) return ok;
  fs::remove_all(folder, error);
  if (error) return cannot_put("replace", folder, error);
  fs::rename(fresh, folder, error);
  if (error) return cannot_put("move the repro to", folder, error);
  return {};
}

Result<void> put_script(const fs::path& file, std::string_view text) {
  if (auto ok = write_file_atomic(file, text); !ok) return ok;
  std::error_code ignored;
  const auto readers = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(file, readers, fs::perm_options::add, ignored);
  return {};
}

}  // namespace culprit
