#pragma once
// Changes of a TFLite file that leave every other byte as it was meant: what has the same size is written over, the
// rest is appended. What two parts of the file share (a shape, a buffer, an offset) is changed for the named one only.
// What is no longer used stays in the file. Numbers of tensors and operators are those of the file as it is at that
// moment. Each change either happens or gives an Error; after an Error the edit is not to be used any more. What is
// refused: moving tables with fields of a newer schema than ours (tflite_operators.h says which), with a message.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "network/tflite/tflite_file.h"

namespace culprit {

struct TflitePlace {  ///< of a tensor or an operator
  std::size_t subgraph = 0;
  std::size_t number = 0;
};

struct TfliteNewTensor {
  std::string name;
  std::int8_t type = 0;
  std::vector<std::int32_t> shape;
  std::string data;  ///< its elements; empty: it is computed
};

struct TfliteNewOperator {
  std::int32_t code = 0;
  std::int32_t version = 1;
  std::string custom_name;  ///< where `code` is tflite_custom_code
  std::vector<std::int32_t> inputs, outputs;
  std::vector<std::pair<std::string, TfliteValue>> options;  ///< by name; the others have their presets
};

class TfliteEdit {
 public:
  static Result<TfliteEdit> start(const TfliteFile& file);
  ~TfliteEdit();
  TfliteEdit(TfliteEdit&&) noexcept;
  TfliteEdit& operator=(TfliteEdit&&) noexcept;

  /// Its elements, of any size, little-endian; whether they fit its shape is not checked. A buffer that others use,
  /// too, is left to them, and this tensor gets a new one.
  Result<void> set_data(TflitePlace tensor, std::string_view elements);
  Result<void> set_name(TflitePlace tensor, const std::string& name);
  Result<void> set_shape(TflitePlace tensor, std::span<const std::int32_t> shape);
  /// Scales, zero points, ranges and the dimension. A tensor without quantization gets one.
  Result<void> set_quantization(TflitePlace tensor, const TfliteQuantization& quantization);
  /// Gives the number of the new tensor, the last of its subgraph.
  Result<std::size_t> append_tensor(std::size_t subgraph, const TfliteNewTensor& tensor);

  /// `option` is a name of tflite_option_fields for the operator's table; where it stores none it gets that of its
  /// kind.
  Result<void> set_option(TflitePlace node, std::string_view option, const TfliteValue& value);
  Result<void> set_inputs(TflitePlace node, std::span<const std::int32_t> tensors);
  Result<void> set_outputs(TflitePlace node, std::span<const std::int32_t> tensors);
  /// Its options stay as they are: another operator with another table takes them for absent.
  Result<void> set_code(TflitePlace node, std::int32_t code, std::int32_t version, const std::string& custom_name = {});
  /// Before operator `at.number`; at the end where that is the count of operators.
  Result<void> insert_operator(TflitePlace at, const TfliteNewOperator& node);
  Result<void> remove_operator(TflitePlace at);

  /// The results of a subgraph, in this order. Signatures name theirs by themselves: see set_signature_outputs.
  Result<void> set_graph_outputs(std::size_t subgraph, std::span<const std::int32_t> tensors);
  Result<void> set_signature_outputs(std::size_t signature,
                                     std::span<const std::pair<std::string, std::uint32_t>> outputs);
  /// The inputs of a subgraph, in this order, and those of a signature, with their names.
  Result<void> set_graph_inputs(std::size_t subgraph, std::span<const std::int32_t> tensors);
  Result<void> set_signature_inputs(std::size_t signature,
                                    std::span<const std::pair<std::string, std::uint32_t>> inputs);
  /// Appends tensors to the results of a subgraph and of all its signatures, so that a runtime hands them out. Their
  /// names in signatures are "inner_" and the number of the tensor. Of a subgraph without signature a runtime knows the
  /// names of tensors alone: there a tensor that is neither input nor output gets that name.
  Result<void> show_tensors(std::size_t subgraph, std::span<const std::int32_t> tensors);
  /// Makes tensors that operators compute inputs of a subgraph and of all its signatures, named "fed_" and the number:
  /// all that takes them gets what is fed. What the operator itself gives goes to a new tensor of the same type, whose
  /// number is returned at the same place. A tensor that no operator makes becomes an input, too, unless it is one, and
  /// -1 is returned. Errors: unsupported (a constant).
  Result<std::vector<std::int32_t>> feed_tensors(std::size_t subgraph, std::span<const std::int32_t> tensors);

  /// Inputs that no operator takes go, and the elements of constants that none takes.
  Result<void> drop_unused();

  /// The changed file, read anew: what does not hold together is an Error.
  [[nodiscard]] Result<TfliteFile> finish() const;
  /// The same without the bytes that nothing refers to any more. They stay where something lies behind the FlatBuffer,
  /// or is of a newer schema than ours.
  [[nodiscard]] Result<TfliteFile> finish_without_gaps() const;

 private:
  class Work;
  using NamedTensors = std::span<const std::pair<std::string, std::uint32_t>>;
  explicit TfliteEdit(std::unique_ptr<Work> work);
  Result<void> set_signature_list(std::size_t signature, std::string_view list, NamedTensors tensors);
  Result<std::int32_t> give_elsewhere(TflitePlace tensor, TfliteSubgraph& graph);
  std::unique_ptr<Work> work_;
};

}  // namespace culprit
