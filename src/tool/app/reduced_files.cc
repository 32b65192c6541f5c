#include "app/reduced_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/folder.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "data/sample_folders.h"
#include "reduce/data_set.h"

namespace culprit {
namespace {

constexpr const char* producer = "culprit reduce";

bool has_data_sets(const fs::path& folder) {
  std::error_code error;
  return std::ranges::any_of(fs::directory_iterator(folder, error), [](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with("test_data_set_");
  });
}

bool has_other_models(const fs::path& out) {
  std::error_code error;
  return std::ranges::any_of(fs::directory_iterator(parent_folder(out), error), [&](const fs::directory_entry& entry) {
    return entry.path().extension() == ".onnx" && entry.path().filename() != out.filename();
  });
}

/// Beside a model that has its folder for itself; else in a folder that is named by it, for a test_data_set_0 would be
/// taken for data of every model beside it. Data sets of a model that was reduced before are ours.
Result<fs::path> folder_for_data(const fs::path& out) {
  const auto before = load_proto(out);
  const bool is_ours = before && before->producer_name() == producer;
  const fs::path named = test_data_of(fs::absolute(out));
  std::error_code error;
  const bool is_named = fs::exists(named, error);
  if (is_named && has_data_sets(named) && !is_ours) {
    return fail(ErrorKind::usage,
                fmt::format("-o {}: its data are written to {}, and there are data already", printable(out.string()),
                            printable(named.filename().string())),
                "name another file, such as reduced/model.onnx");
  }
  const bool is_alone = !has_other_models(out) && (is_ours || !has_data_sets(parent_folder(out)));
  return is_named || !is_alone ? named : fs::absolute(parent_folder(out));
}

}  // namespace

void ReducedFiles::RemoveEmpty::operator()(const fs::path* folder) const {
  std::error_code error;
  fs::remove(*folder, error);  // nothing that has something in it
  delete folder;
}

Result<ReducedFiles> ReducedFiles::at(const fs::path& out, const fs::path& model) {
  std::error_code error;
  MadeFolder made;  // where it cannot be, the next line says so
  if (fs::create_directory(parent_folder(out), error)) made.reset(new fs::path(fs::absolute(parent_folder(out))));
  auto file = OptimizedFile::beside(out, model);
  if (!file) return tl::unexpected(file.error());
  auto data = folder_for_data(out);
  if (!data) return tl::unexpected(data.error());
  return ReducedFiles(std::move(made), std::move(*file), std::move(*data));
}

Result<void> ReducedFiles::put(const Case& a_case, std::span<const Inputs> outputs) {
  onnx::ModelProto model = *a_case.model;
  model.set_producer_name(producer);
  if (auto ok = save_model(model, file_.file(), Durability::buffered); !ok) return ok;
  std::error_code error;
  bytes_ = fs::file_size(file_.file(), error);
  if (auto ok = file_.put_in_place(); !ok) return ok;
  if (auto ok = make_folder(data_folder_); !ok) return ok;
  const auto written = write_data_sets(a_case, outputs, data_folder_, file_.scratch());
  has_data_ = written.has_value() && !a_case.samples.empty();
  has_outputs_ = has_data_ && outputs.size() == a_case.samples.size();
  return written || written.error().kind == ErrorKind::unsupported ? Result<void>() : written;
}

}  // namespace culprit
