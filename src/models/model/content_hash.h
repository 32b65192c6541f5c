#pragma once
// Hashes of what tensors and messages hold.

#include "base/hash.h"

namespace google::protobuf {
class Message;
}
namespace onnx {
class TensorProto;
}

namespace culprit {

/// Type, shape and elements, not name or docs; the same whether elements stand in raw_data or in a typed field. A
/// tensor that cannot be read (data outside the model, a type unknown here, a wrong size) is hashed as it is written.
/// A placed one (model/placed_weights.h) is named by its hash, and that is taken: so bring foreign external data inside
/// first.
Hash128 content_hash(const onnx::TensorProto& tensor);

/// Adds a message as it is written. In pieces where it is large: protobuf serializes no more than 2 GiB at once.
void add_message(Hasher& hasher, const google::protobuf::Message& message);

}  // namespace culprit
