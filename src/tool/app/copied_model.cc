#include "app/copied_model.h"

#include <string>
#include <system_error>

#include "app/weight_files.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* data_start = "test_data_set_";

}  // namespace

Result<fs::path> copied_model(const fs::path& file, const fs::path& folder) {
  const fs::path place = folder / file.stem();
  std::error_code error;
  if (fs::exists(place, error))
    return fail(ErrorKind::usage, printable(place.string(), 300) + " is there already",
                "delete it, or name another folder");
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  auto beside = TemporaryFolder::create(folder, ".coming-");
  if (!beside) return tl::unexpected(beside.error());
  const fs::path whole = beside->path() / "model";
  const auto copy = [&](const fs::path& from) {
    if (!error) fs::copy(from, whole / from.filename(), fs::copy_options::recursive, error);
  };
  fs::create_directory(whole, error);
  copy(file);
  for (const fs::path& weights : weight_files_of(file)) {
    const fs::path name = weights.lexically_relative(file.parent_path());
    if (!error) fs::create_directories((whole / name).parent_path(), error);
    if (!error) fs::copy(weights, whole / name, error);
  }
  for (auto at = fs::directory_iterator(file.parent_path(), error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (at->path().filename().string().starts_with(data_start)) copy(at->path());
  if (!error) fs::rename(whole, place, error);
  if (error)
    return fail(ErrorKind::io, "cannot copy " + printable(file.string(), 300) + " to " +
                                   printable(folder.string(), 300) + ": " + error.message());
  return place / file.filename();
}

}  // namespace culprit
