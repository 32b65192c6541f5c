#pragma once
// Hashes of declared types. Denotations are documentation and left out; dimensions keep their names, which callers see.

#include "base/hash.h"

namespace onnx {
class TensorProto;
class TypeProto;
}  // namespace onnx

namespace culprit {

Hash128 type_hash(const onnx::TypeProto& type);
/// The type that a stored tensor has by itself; equal to the hash of the same type declared.
Hash128 type_hash_of_tensor(const onnx::TensorProto& tensor);

}  // namespace culprit
