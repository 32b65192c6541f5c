#pragma once
// A target whose weights were all rounded, with the source's weights in their place: what is wrong of it beyond that?

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "conversion/blame_layers.h"
#include "conversion/faults/rounded_weights.h"
#include "conversion/runs/judged_outputs.h"
#include "conversion/sides/mended_side.h"
#include "record/diagnosis.h"

namespace culprit {

/// All must outlive the mended target.
struct MendTask {
  const BothSides& sides;  ///< as they came
  const std::vector<ValueMatch>& outputs;
  Executor& executor;
  std::filesystem::path folder;  ///< it must exist
  double error = 0;              ///< of the outputs as they came
  bool is_strict = false;
};

class MendedTarget {
 public:
  /// It is run on all samples and read on those of the map. `map`: as it came. nullptr: it does not run. Errors:
  /// interrupted, io.
  static Result<std::unique_ptr<MendedTarget>> open(const MendTask& task, const ConversionMap& map,
                                                    RoundedWeights rounded);

  /// The source, and the target with the right weights.
  [[nodiscard]] const BothSides& sides() const { return *sides_; }
  /// Outputs that are still wrong.
  [[nodiscard]] const std::vector<ValueMatch>& wrong() const { return outputs_.wrong; }
  /// Parameters of the target as they are now join the map, and are matched again.
  Result<void> match_again(ConversionMap& map);
  /// The rounding, a fault of class precision. It is confirmed where all outputs are right with the right weights; or,
  /// where something else is wrong, too, each of the layers gives the right values, or lies in a region that another
  /// repair makes right. `map`: with the values that were found at last.
  [[nodiscard]] MendableFault fault(const ConversionMap& map, const BlamedLayers& blamed) const;
  /// Rows of the layers whose weights were rounded get this fault, where they have none, and how far their weights were
  /// off.
  void mark(std::vector<LayerRow>& rows, const std::vector<ConversionFault>& faults) const;

 private:
  struct RoundedLayer {
    LayerRef layer;
    double difference = 0;  ///< of its weights: the largest mean one
  };
  MendedTarget(const MendTask& task, RoundedWeights rounded);
  void remember(const ConversionMap& map);
  Result<bool> run();
  [[nodiscard]] bool gives_right_values(const ConversionMap& map, const BlamedLayers& blamed) const;

  const MendTask task_;
  RoundedWeights rounded_;
  std::vector<RoundedLayer> layers_;  // of the source
  LayerRef first_target_;
  std::vector<WrongElement> first_wrong_;
  std::unique_ptr<Side> side_;
  ReadSide target_;
  std::optional<BothSides> sides_;
  JudgedOutputs outputs_;
};

}  // namespace culprit
