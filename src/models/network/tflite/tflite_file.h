#pragma once
// A TFLite file, read: its graph as plain structs, its weights where they lie in the bytes. Any bytes give a file or an
// Error: nothing outside of them is read, and what is read is at most a few times as large as they are. What the file
// says of indices is checked: whoever has a TfliteFile may use them. Format:
// https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs, version 3.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "network/tflite/tflite_operators.h"

namespace culprit {

struct TfliteQuantization {
  std::vector<float> min, max;
  std::vector<float> scale;  ///< one, or one for each slice of `dimension`; real = scale * (stored - zero_point)
  std::vector<std::int64_t> zero_point;
  std::int32_t dimension = 0;
  std::string details;  ///< the table of another kind of quantization, "BlockwiseQuantization"; "" for the usual one
};

struct TfliteTensor {
  std::string name;      ///< any bytes; not unique
  std::int8_t type = 0;  ///< see tflite_type_name
  std::vector<std::int32_t> shape;
  std::vector<std::int32_t> shape_signature;  ///< -1 for dimensions that may change; empty where all are as in `shape`
  std::uint32_t buffer = 0;                   ///< its elements, if it is a constant; buffer 0 is always empty
  std::uint32_t external_buffer = 0;          ///< not 0: its elements lie in another file
  std::optional<TfliteQuantization> quantization;
  bool is_variable = false;
  bool has_rank = false;
  bool is_sparse = false;           ///< the buffer holds only the elements that are not 0
  std::size_t variant_tensors = 0;  ///< how many types of lists it has
};

struct TfliteOption {
  std::uint16_t number = 0;
  std::string_view name;
  TfliteValue value;
  bool is_stored = false;  ///< false: the file does not say, and the value is the preset
};

struct TfliteOperator {
  std::uint32_t code_index = 0;      ///< into TfliteGraph::codes
  std::vector<std::int32_t> inputs;  ///< tensors of the subgraph; -1: not given
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> intermediates;
  std::string_view options_table;     ///< "Conv2DOptions"; "" where it has none
  std::vector<TfliteOption> options;  ///< all that the table may have
  bool has_unknown_options = false;   ///< of a newer schema than ours: `options` is not all
  std::string custom_options;         ///< of custom operators: bytes, mostly a FlexBuffer
};

struct TfliteOperatorCode {
  std::int32_t code = 0;    ///< of BuiltinOperator
  std::string custom_name;  ///< where `code` is CUSTOM
  std::int32_t version = 1;
};

struct TfliteSubgraph {
  std::string name;
  std::vector<TfliteTensor> tensors;
  std::vector<TfliteOperator> operators;  ///< in the order in which they run
  std::vector<std::int32_t> inputs, outputs;
};

struct TfliteBufferPlace {
  std::uint64_t at = 0;  ///< first byte, in the file
  std::uint64_t size = 0;
  bool is_behind = false;  ///< behind the FlatBuffer itself, as in files over 2 GB
};

struct TfliteSignature {
  std::string key;
  std::uint32_t subgraph = 0;
  std::vector<std::pair<std::string, std::uint32_t>> inputs, outputs;  ///< names of tensors
};

struct TfliteGraph {
  std::uint32_t version = 0;
  std::string description;
  std::vector<TfliteOperatorCode> codes;
  std::vector<TfliteSubgraph> subgraphs;  ///< the first is the main one; others are bodies of WHILE, IF, ...
  std::vector<TfliteBufferPlace> buffers;
  std::vector<std::pair<std::string, std::uint32_t>> metadata;  ///< name and buffer
  std::vector<TfliteSignature> signatures;
  bool has_unknown_fields = false;  ///< something in it is of a newer schema than ours
};

class TfliteFile {
 public:
  static Result<TfliteFile> open(const std::filesystem::path& path);
  /// `where` names the bytes in messages.
  static Result<TfliteFile> parse(std::string bytes, std::string where);

  [[nodiscard]] const TfliteGraph& graph() const { return graph_; }
  [[nodiscard]] std::string_view bytes() const { return *bytes_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  /// The bytes of a buffer; empty for numbers that it does not have.
  [[nodiscard]] std::span<const std::byte> buffer(std::size_t number) const;
  /// "CONV_2D", or "custom operator Foo".
  [[nodiscard]] std::string operator_name(const TfliteOperator& of) const;
  [[nodiscard]] Result<void> write(const std::filesystem::path& path) const;

 private:
  std::shared_ptr<const std::string> bytes_;
  std::string where_;
  TfliteGraph graph_;
};

}  // namespace culprit
