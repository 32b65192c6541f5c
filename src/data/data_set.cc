#include "data/data_set.h"

#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "data/sample_folders.h"
#include "data/sets/array_rows.h"
#include "data/sets/picture_files.h"
#include "data/sets/picture_source.h"

namespace culprit {
namespace {

Result<std::vector<SourcePtr>> only(Result<SourcePtr> source) {
  if (!source) return tl::unexpected(source.error());
  std::vector<SourcePtr> sources;
  sources.push_back(std::move(*source));
  return sources;
}

Result<SourcePtr> pictures(const Model& model, const DataSetOptions& options) {
  PictureSetOptions set{options.data.data, options.labels, options.data.preprocess};
  for (const std::string& argument : options.data.inputs) {
    auto parts = parse_input_parts(argument, model.interface, options.data.dims);
    if (!parts) return tl::unexpected(parts.error());
    set.given.insert(set.given.end(), parts->begin(), parts->end());
  }
  auto opened = open_pictures(model, set);
  if (!opened) return tl::unexpected(opened.error());
  return SourcePtr(std::move(*opened));
}

Result<std::vector<SourcePtr>> proposed(const Model& model, const DataSetOptions& options) {
  auto proposals = propose(model, options.data);
  if (!proposals) return tl::unexpected(proposals.error());
  std::vector<SourcePtr> sources;
  for (Proposal& proposal : *proposals) sources.push_back(source_of(std::move(proposal)));
  return sources;
}

/// Options that mean something for pictures only.
Result<void> expect_no_picture_options(const DataSetOptions& options) {
  if (options.data.preprocess.empty() && options.labels.empty()) return {};
  const char* flag = options.data.preprocess.empty() ? "--labels" : "--preprocess";
  const std::string what =
      options.data.data.empty() ? "there is no --data" : printable(options.data.data.string()) + " holds no pictures";
  return fail(ErrorKind::usage, std::string(flag) + " is for pictures, and " + what);
}

}  // namespace

Result<std::vector<SourcePtr>> open_data_set(const Model& model, const DataSetOptions& options) {
  const fs::path& data = options.data.data;
  std::error_code ignored;
  if (!data.empty() && !fs::exists(data, ignored))
    return fail(ErrorKind::usage, "--data " + printable(data.string()) + ": there is no such file or folder");
  if (is_picture_folder(data)) return only(pictures(model, options));
  if (auto ok = expect_no_picture_options(options); !ok) return tl::unexpected(ok.error());
  const bool is_array = data.extension() == ".npz" || data.extension() == ".npy";
  if (!is_array || fs::is_directory(data, ignored)) return proposed(model, options);
  auto rows = open_array_rows(data, model.interface, options.work);
  if (rows || data.extension() == ".npy") return only(std::move(rows));
  auto whole = proposed(model, options);  // one sample, as `check` takes an archive
  return whole ? std::move(whole) : only(std::move(rows));
}

}  // namespace culprit
