#include "reduce/data_set.h"

#include <algorithm>

#include "base/file.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

tl::unexpected<Error> no_file_for(const NamedTensor& tensor) {
  return fail(ErrorKind::unsupported,
              "'" + tensor.name + "' is no tensor, and test_data_set folders of culprit hold only these");
}

Result<void> write_tensors(const std::vector<NamedTensor>& tensors, const char* what, const fs::path& folder) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].part.empty()) return no_file_for(tensors[i]);
    const fs::path file = folder / (what + std::to_string(i) + ".pb");
    if (auto ok = write_tensor_proto(file, tensors[i]); !ok) return ok;
  }
  return {};
}

/// As the model has them.
Inputs in_order(const onnx::GraphProto& graph, const Inputs& sample) {
  Inputs ordered;
  for (const auto& input : graph.input()) {
    std::ranges::copy_if(sample, std::back_inserter(ordered),
                         [&](const NamedTensor& tensor) { return tensor.name == input.name(); });
  }
  return ordered;
}

fs::path set_of(const fs::path& folder, std::size_t number) {
  return folder / ("test_data_set_" + std::to_string(number));
}

/// Removes the sets of a larger case.
Result<void> remove_sets_from(std::size_t number, const fs::path& folder) {
  std::error_code error;
  for (; fs::exists(set_of(folder, number), error); ++number) {
    fs::remove_all(set_of(folder, number), error);
    if (error) return fail(ErrorKind::io, "cannot remove " + set_of(folder, number).string() + ": " + error.message());
  }
  return {};
}

}  // namespace

Result<void> write_data_sets(const Case& a_case, std::span<const Inputs> outputs, const fs::path& folder,
                             const fs::path& scratch) {
  for (std::size_t i = 0; i < a_case.samples.size(); ++i) {
    auto fresh = TemporaryFolder::create(scratch, "data-");
    if (!fresh) return tl::unexpected(fresh.error());
    const Inputs inputs = in_order(a_case.model->graph(), a_case.samples[i]);
    if (auto ok = write_tensors(inputs, "input_", fresh->path()); !ok) return ok;
    if (i < outputs.size()) {
      if (auto ok = write_tensors(outputs[i], "output_", fresh->path()); !ok) return ok;
    }
    const fs::path place = set_of(folder, i);
    std::error_code error;
    fs::remove_all(place, error);
    if (!error) fs::rename(fresh->path(), place, error);
    if (error) return fail(ErrorKind::io, "cannot write " + place.string() + ": " + error.message());
    fs::permissions(place,
                    fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec,
                    fs::perm_options::add, error);
    fresh->keep();
  }
  return remove_sets_from(a_case.samples.size(), folder);
}

}  // namespace culprit
