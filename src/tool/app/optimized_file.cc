#include "app/optimized_file.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <string_view>

#include "app/output_path.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "model/external_data.h"
#include "model/graph_walk.h"
#include "model/model_format.h"
#include "network/tflite/tflite_file.h"

namespace culprit {
namespace {

constexpr const char* beside_prefix = ".culprit-";

/// What is there may be replaced only if it is a model, or empty.
Result<void> may_be_replaced(const fs::path& out, const fs::path& model) {
  std::error_code error;
  if (fs::equivalent(out, model, error)) return unfit(out, "that is the model itself, and would be overwritten");
  if (!fs::is_regular_file(out, error)) return unfit(out, "not a file");
  if (fs::file_size(out, error) == 0 && !error) return {};
  const ModelFormat format = format_of(out);
  const bool is_model = format == ModelFormat::tflite ? TfliteFile::open(out).has_value() : load_model(out).has_value();
  if (!is_model) return unfit(out, "there is a file that is no model, and it is not replaced");
  return {};
}

/// Does one of its tensors lie in this file?
bool uses(const Model& model, const fs::path& file) {
  bool found = false;
  for_each_tensor(*model.proto, [&](const onnx::TensorProto& tensor) {
    std::error_code ignored;
    const auto place = is_external(tensor) ? external_place(tensor, model.path.parent_path()) : Result<ExternalPlace>();
    found = found || (is_external(tensor) && place && fs::equivalent(place->file, file, ignored));
  });
  return found;
}

Result<void> copy_to(const fs::path& from, const fs::path& to) {
  const auto mapped = MappedFile::open(from);
  if (!mapped) return tl::unexpected(mapped.error());
  const auto bytes = mapped->bytes();
  return write_file_atomic(to, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Result<OptimizedFile> OptimizedFile::beside(const fs::path& out, const fs::path& model) {
  std::error_code error;
  if (!fs::is_directory(parent_folder(out), error)) {
    return fail(ErrorKind::usage, fmt::format("-o {}: its folder is not there", printable(out.string())),
                "make the folder first, or name another file");
  }
  const bool is_there = fs::exists(out, error);
  if (is_there) {
    if (auto fine = may_be_replaced(out, model); !fine) return tl::unexpected(fine.error());
  } else if (!out.has_filename() || fs::is_symlink(out, error)) {
    return unfit(out, "not the name of a file");
  }
  error.clear();
  const fs::path place = is_there ? fs::canonical(out, error) : fs::absolute(out);  // a link stays a link
  if (error) return unfit(out, error.message());
  remove_ownerless(place.parent_path(), beside_prefix);
  auto folder = TemporaryFolder::create(place.parent_path(), beside_prefix);
  if (!folder) return unfit(out, folder.error().message);
  return OptimizedFile(place, std::move(*folder));
}

Result<fs::path> OptimizedFile::fill(const fs::path& variant, const Model& model) {
  if (!model.proto) return copy_to(variant.empty() ? model.path : variant, file()).map([&] { return file(); });
  const auto loaded = variant.empty() ? Result<Model>(model) : load_model(variant);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto fits = fits_one_file(*loaded);
  if (!fits) return tl::unexpected(fits.error());
  Result<void> written;
  if (!*fits) {
    written = data_may_be_replaced(model).and_then([&] { return save_with_data(*loaded, file()); });
  } else {
    written = loaded->has_external_data ? save_whole(*loaded, file()) : copy_to(loaded->path, file());
  }
  if (!written) return tl::unexpected(written.error());
  return file();
}

/// Files beside `out` belong to somebody: only the data of the model that is replaced may go, and never the model's
/// own.
Result<void> OptimizedFile::data_may_be_replaced(const Model& model) const {
  const fs::path data = data_of(out_);
  std::error_code error;
  if (!fs::exists(data, error)) return {};
  const auto before = load_model(out_);
  if (!uses(model, data) && before && uses(*before, data)) return {};
  return unfit(out_, "the model is larger than 2 GiB, so its weights would go to " + printable(data.string()) +
                         ", which is there already");
}

fs::path OptimizedFile::filled_data() const {
  std::error_code error;
  return fs::exists(data_of(file()), error) ? data_of(file()) : fs::path();
}

fs::path OptimizedFile::data() const { return placed_data_ || !filled_data().empty() ? data_of(out_) : fs::path(); }

Result<void> OptimizedFile::put_in_place() {
  std::error_code error;
  placed_data_ = fs::exists(data_of(file()), error);
  if (placed_data_) fs::rename(data_of(file()), data_of(out_), error);
  if (!error) fs::rename(file(), out_, error);
  if (!error) return {};
  return fail(ErrorKind::io, fmt::format("cannot put the model at {}: {}", printable(out_.string()), error.message()),
              "check the permissions of the folder");
}

}  // namespace culprit
