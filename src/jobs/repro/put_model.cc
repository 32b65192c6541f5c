#include "repro/put_model.h"

#include <onnx/onnx_pb.h>

#include <system_error>

#include "base/text.h"
#include "model/external_data.h"
#include "model/fingerprint.h"
#include "model/graph_walk.h"
#include "model/model.h"
#include "model/placed_weights.h"

namespace culprit {
namespace {

/// Are all of its external weights ours, below the model's folder?
bool is_placed(const onnx::ModelProto& model) {
  bool placed = true;
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    placed = placed && (!is_external(tensor) || placed_content(tensor).has_value());
  });
  return placed;
}

}  // namespace

Result<ReproModel> put_model(const fs::path& from, const fs::path& to) {
  const auto model = load_model(from);
  if (!model) return tl::unexpected(model.error());
  Result<void> done;
  if (!model->has_external_data || is_placed(*model->proto)) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error)
      return fail(ErrorKind::io, "cannot copy the model to " + printable(to.string()) + ": " + error.message(),
                  "check the permissions and the free space");
    fs::permissions(to, fs::perms::owner_write, fs::perm_options::add, error);
    done = link_weights(*model->proto, from.parent_path(), to.parent_path());
  } else {
    const auto fits = fits_one_file(*model);
    if (!fits) return tl::unexpected(fits.error());
    done = *fits ? save_whole(*model, to) : save_with_data(*model, to);
  }
  if (!done) return tl::unexpected(done.error());
  return ReproModel{fingerprint(*model->proto).hex(), model->facts.nodes};
}

}  // namespace culprit
