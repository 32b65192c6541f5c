#include "worker/infer_types.h"

#include "model/model.h"
#include "worker/wire.h"

namespace culprit {

std::string inferred_complaint(const onnx::ModelProto& model, Supervisor& supervisor) {
  auto child = supervisor.fork([&](Channel& channel) {
    wire::FromFork message;
    message.set_types_complaint(declared_types_complaint(model));
    channel.send_now(message.SerializeAsString());
  });
  if (!child) return child.error().message;
  for (bool over = false; !over && !supervisor.parent_gone();) {
    supervisor.wait({&*child});
    over = child->over();
    const auto bytes = child->channel().next();
    const auto message = bytes ? wire::parse<wire::FromFork>(*bytes) : std::nullopt;
    if (message && message->body_case() == wire::FromFork::kTypesComplaint) return message->types_complaint();
  }
  return "shape inference " + child->bury().message;
}

}  // namespace culprit
