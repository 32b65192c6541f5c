#pragma once
// Values that are no plain tensors as ONNX stores them (onnx-data.proto): SequenceProto, MapProto, OptionalProto, as
// found in test_data_set_N folders. Such a file does not say what it is, so the reader has to know.
// https://github.com/onnx/onnx/blob/main/onnx/onnx-data.proto

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/structured_value.h"

namespace culprit {

/// Entries of all sequences and maps of one file. Two bytes can claim an entry that takes a hundred in memory.
constexpr std::size_t most_stored_entries = 65536;

/// `form`: the kinds from the outside in, ending with a tensor or a map. Bytes that are no such value, more entries
/// than `most_stored_entries`, and elements of another kind are ErrorKind::bad_input; `where` is what messages call it.
Result<Value> parse_value_proto(std::string_view bytes, std::span<const Value::Kind> form, std::string_view where);
Result<Value> read_value_proto(const std::filesystem::path& path, std::span<const Value::Kind> form);

/// The bytes of such a file for a value of any kind: a TensorProto, SequenceProto, MapProto or OptionalProto that bears
/// this name. The values of a map are tensors of one element, as ONNX's own helpers write them.
std::string value_proto_bytes(const std::string& name, const Value& value);
/// Writes these bytes beside the file and renames them. Over 2 GiB is ErrorKind::unsupported.
Result<void> write_value_proto(const std::filesystem::path& path, const std::string& name, const Value& value);

}  // namespace culprit
