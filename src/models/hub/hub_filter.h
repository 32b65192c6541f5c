#pragma once
// Which models of a hub are meant.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "hub/hub_manifest.h"

namespace culprit {

/// Sizes of an input or output: "1,3,224,224"; "?" is any size, "..." at the end any number of sizes.
struct ShapePattern {
  std::vector<std::string> sizes;
  bool has_more = false;
};
/// ErrorKind::usage for a size that is no number, no name and no "?".
Result<ShapePattern> shape_pattern_of(const std::string& flag, const std::string& text);
bool matches(const ShapePattern& pattern, const std::vector<std::string>& shape);

/// All of these have to hold.
struct HubFilter {
  std::string name = {};                         ///< a pattern of fnmatch(3); the case of letters is ignored; "": any
  std::vector<std::string> tags = {};            ///< each of them; the case of letters is ignored
  std::int64_t least_opset = 0, most_opset = 0;  ///< 0: any
  std::vector<ShapePattern> inputs = {}, outputs = {};  ///< each is that of one of the model's
  bool newest_only = false;                             ///< of several models with one name that of the highest opset
};
std::vector<HubModel> filtered(const std::vector<HubModel>& models, const HubFilter& filter);

/// The model of that name: of several the one of `opset`, or of the highest where that is 0. ErrorKind::not_found with
/// the closest name, or the opsets that there are.
Result<HubModel> hub_model_named(const std::vector<HubModel>& models, const std::string& name, std::int64_t opset = 0);

}  // namespace culprit
