#pragma once
// The main graph of a TFLite file as a list of operators that is changed and then written. Numbers of tensors are those
// of the file; what is added follows them. Private to this folder.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "network/network.h"
#include "network/tflite/tflite_edit.h"

namespace culprit {

/// Pads around windows as ONNX has them: TFLite knows SAME and VALID alone.
struct ExplicitPads {
  std::vector<std::int64_t> sizes;  ///< all that come first, then all that come last
  bool are_counted = false;         ///< of an average: the zeros count
};

struct PlannedOperator {
  std::int64_t native = -1;  ///< its number in the file; -1: it is not there
  std::vector<int> layers;   ///< of the network that it computes; none: an edit put it there
  std::int32_t code = 0;
  std::string custom_name = {};
  std::int32_t version = 1;
  std::vector<std::int32_t> inputs, outputs;  ///< -1: not given
  /// That are set. The others have their presets, or of one that is in the file what it says there.
  std::vector<std::pair<std::string, TfliteValue>> options = {};
  bool is_anew = false;  ///< it is in the file, and another takes its place
  std::optional<ExplicitPads> pads = {};
};

class TflitePlan {
 public:
  /// `network`: as read_tflite_network reads the file. Both must outlive it.
  TflitePlan(const TfliteFile& file, const Network& network);

  std::vector<PlannedOperator> operators;

  /// The place of the operator that computes a layer.
  [[nodiscard]] std::size_t place_of(int layer) const;
  /// Is the layer the fused activation of its operator?
  [[nodiscard]] bool is_fused(int layer) const;
  /// Makes the fused activation of a layer, where its operator computes one, an operator of its own.
  void part(int layer);
  /// The tensor of a value; one between two layers of one operator gets one, for these are parted.
  std::int32_t tensor_of(int value);

  [[nodiscard]] std::int8_t type_of(std::int32_t tensor) const { return tensors_[place(tensor)].type; }
  /// -1: it may change.
  [[nodiscard]] std::vector<std::int32_t> shape_of(std::int32_t tensor) const;
  [[nodiscard]] const TfliteTensor& tensor(std::int32_t number) const { return tensors_[place(number)]; }
  /// Is it a constant, of the file or added?
  [[nodiscard]] bool is_constant(std::int32_t tensor) const;
  /// The operator that makes it; nullopt: an input or a constant.
  [[nodiscard]] std::optional<std::size_t> maker_of(std::int32_t tensor) const;
  /// One that an operator makes, of the type and quantization of another.
  std::int32_t add_like(std::int32_t tensor);
  /// Errors: unsupported (a type that the format does not have).
  /// `instead_of`: a constant of the file whose place it takes; -1: none.
  Result<std::int32_t> add_constant(const Tensor& constant, const std::optional<TfliteQuantization>& quantization = {},
                                    std::int32_t instead_of = -1);
  /// Constants that took the place of others of their type which nobody uses any more are written over these. Gives the
  /// new numbers of tensors that have another one from now on.
  std::map<std::int32_t, std::int32_t> reuse_places(const std::set<std::int32_t>& shown);

  /// What an option is, with its preset where nobody says.
  [[nodiscard]] TfliteValue option(const PlannedOperator& node, std::string_view name) const;
  [[nodiscard]] static bool has_option(const PlannedOperator& node, std::string_view name);
  /// For messages: "CONV_2D".
  [[nodiscard]] static std::string name_of(const PlannedOperator& node);

  /// By operator: is it needed for these tensors? What is fed needs nothing, but for the results of its own maker where
  /// these are wanted.
  [[nodiscard]] std::vector<bool> needed_for(const std::vector<std::int32_t>& wanted,
                                             const std::set<std::int32_t>& fed) const;
  /// The file with the operators that are kept, each behind those whose results it takes. Errors: unsupported, and
  /// those of TfliteEdit.
  Result<TfliteEdit> written(const std::vector<bool>& kept) const;

 private:
  [[nodiscard]] static std::size_t place(std::int32_t tensor) { return static_cast<std::size_t>(tensor); }
  [[nodiscard]] std::int32_t place_that_is_free(std::int32_t added, const std::set<std::int32_t>& used) const;
  void renumber(const std::map<std::int32_t, std::int32_t>& numbers);
  [[nodiscard]] std::vector<std::size_t> in_order(const std::vector<bool>& kept) const;
  Result<void> write_tensors(TfliteEdit& edit) const;
  Result<void> write_operators(TfliteEdit& edit, const std::vector<std::size_t>& order) const;
  Result<void> change(TfliteEdit& edit, const PlannedOperator& node) const;
  [[nodiscard]] Result<TfliteNewOperator> new_operator(const PlannedOperator& node) const;

  const TfliteFile& file_;
  const TfliteSubgraph& graph_;
  const Network& network_;
  std::vector<TfliteTensor> tensors_;                // the file's, then those that are added
  std::map<std::int32_t, std::string> data_;         // of constants that are added, and of those that are written over
  std::map<std::int32_t, std::int32_t> instead_of_;  // by constant that was added
  std::map<int, std::int32_t> hidden_;               // by value
};

}  // namespace culprit
