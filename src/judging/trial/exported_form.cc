#include "trial/exported_form.h"

#include <onnx/onnx_pb.h>

#include "model/lost_types.h"

namespace culprit {

Result<std::filesystem::path> written_as_exported(const std::filesystem::path& round_trip) {
  auto model = load_proto(round_trip);
  if (!model) return tl::unexpected(model.error());
  leave_out_types(*model);
  auto file = round_trip.parent_path() / (round_trip.stem().string() + "-as-exported.onnx");
  return save_model(*model, file, Durability::buffered).map([&] { return file; });
}

void tell_lost_types(Judgement& judgement, const VariantOutcome& round_trip) {
  judgement.message = lost_types_text(round_trip.lost_types) + "; as exported: " + judgement.message;
  judgement.error = "the export leaves out a type";
}

}  // namespace culprit
