#include "cli/reduced_files.h"

#include <fmt/format.h>

#include "base/text.h"
#include "reduce/data_set.h"

namespace culprit {
namespace {

constexpr const char* producer = "culprit reduce";

fs::path folder_of(const fs::path& out) { return out.has_parent_path() ? out.parent_path() : fs::path("."); }

/// Data sets beside a model of ours are ours.
Result<void> data_may_be_replaced(const fs::path& out) {
  std::error_code error;
  const auto before = load_proto(out);
  if (before && before->producer_name() == producer) return {};
  for (const auto& entry : fs::directory_iterator(folder_of(out), error)) {
    if (!entry.path().filename().string().starts_with("test_data_set_")) continue;
    return fail(ErrorKind::usage,
                fmt::format("-o {}: its test_data_set_0 is written beside it, and there is {} already",
                            printable(out.string()), printable(entry.path().filename().string())),
                "name a file in a folder of its own, such as reduced/model.onnx");
  }
  return {};
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
  if (fs::create_directory(folder_of(out), error)) made.reset(new fs::path(fs::absolute(folder_of(out))));
  auto file = OptimizedFile::beside(out, model);
  if (!file) return tl::unexpected(file.error());
  if (auto fine = data_may_be_replaced(out); !fine) return tl::unexpected(fine.error());
  return ReducedFiles(std::move(made), std::move(*file), fs::absolute(folder_of(out)));
}

Result<void> ReducedFiles::put(const Case& a_case, std::span<const Inputs> outputs) {
  onnx::ModelProto model = *a_case.model;
  model.set_producer_name(producer);
  if (auto ok = save_model(model, file_.file(), Durability::buffered); !ok) return ok;
  std::error_code error;
  bytes_ = fs::file_size(file_.file(), error);
  if (auto ok = file_.put_in_place(); !ok) return ok;
  const auto written = write_data_sets(a_case, outputs, folder_);
  has_data_ = written.has_value() && !a_case.samples.empty();
  has_outputs_ = has_data_ && outputs.size() == a_case.samples.size();
  return written || written.error().kind == ErrorKind::unsupported ? Result<void>() : written;
}

}  // namespace culprit
