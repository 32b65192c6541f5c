#pragma once
// Edits (edits/edit.h) made in the main graph of a TFLite file. Private to this folder.
//
// A fused activation is a layer of its own in Network and an option in the file. Where an edit gives it another word
// that TFLite has, or none, the option is changed; where it asks for more, the activation becomes an operator.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "conversion/edits/edit.h"
#include "conversion/sides/tflite_layers.h"
#include "conversion/sides/tflite_plan.h"

namespace culprit {

class TfliteEdits {
 public:
  /// `network`: as read_tflite_network reads the file of `plan`. Both must outlive it.
  TfliteEdits(TflitePlan& plan, const Network& network) : plan_(plan), network_(network) {}

  /// Errors: unsupported (names the edit).
  Result<void> make(const std::vector<Edit>& edits);
  /// The tensor in which whoever looks at the value finds it now.
  [[nodiscard]] std::int32_t shown(int value);

 private:
  Result<void> make_one(const SetConstant& edit);
  Result<void> make_one(const SetHyper& edit);
  Result<void> make_one(const SetType& edit);
  Result<void> make_one(const Bypass& edit);
  Result<void> make_one(const InsertBehind& edit);
  Result<void> make_one(const SetInput& edit);
  Result<void> make_one(const SetOutput& edit);
  Result<void> replace_constant(const SetConstant& edit);
  Result<std::int32_t> constant_like(const Tensor& tensor, std::int32_t like);
  Result<void> replace(int layer, const TfliteLayer& wanted);
  void give_to(std::int32_t taken, std::int32_t made, const std::vector<int>& users);

  TflitePlan& plan_;
  const Network& network_;
  std::map<int, std::int32_t> instead_;  // tensors by value
};

}  // namespace culprit
