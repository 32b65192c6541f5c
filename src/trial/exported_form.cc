#include "trial/exported_form.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "model/lost_types.h"

namespace culprit {

const Warning* lost_types_of(const VariantOutcome& outcome) {
  const auto lost = std::ranges::find(outcome.warnings, types_lost, &Warning::code);
  return lost == outcome.warnings.end() ? nullptr : &*lost;
}

Result<std::filesystem::path> written_as_exported(const std::filesystem::path& round_trip) {
  auto model = load_proto(round_trip);
  if (!model) return tl::unexpected(model.error());
  leave_out_types(*model);
  auto file = round_trip.parent_path() / (round_trip.stem().string() + "-as-exported.onnx");
  return save_model(*model, file, Durability::buffered).map([&] { return file; });
}

void tell_lost_types(Judgement& judgement, const VariantOutcome& round_trip) {
  const std::string lost = lost_types_of(round_trip)->message;
  judgement.message = lost.substr(0, lost.find(';')) + "; as exported: " + judgement.message;  // behind: what was done
  judgement.error = "the export leaves out a type";
}

}  // namespace culprit
