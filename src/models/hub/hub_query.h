#pragma once
// A word that stands for models of a hub, in the place of a file: hub:ResNet50, hub:/srv/models#*&tag=vision.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hub/hub_filter.h"
#include "hub/hub_manifest.h"

namespace culprit {

/// Does it begin with "hub:"?
bool is_hub_word(std::string_view word);

/// Does the word stand for a model of a hub, by "hub:" or "hf:" (hub/hf_name.h), and for no file?
bool names_hub(std::string_view word);

/// A model of a hub that a word of several means.
struct HubChoice {
  std::string word;  ///< that stands for it alone
  std::vector<std::string> tags = {};
};

struct HubQuery {
  std::string hub = {};   ///< as hub_place_of takes it; "": the hub that is asked where none is named
  HubFilter filter = {};  ///< its name is never ""
};

/// "hub:[PLACE#]NAME[@OPSET][&tag=T][&opset=9-12][&input=1,3,224,224][&output=1,1000][&newest]"; NAME may be a pattern;
/// the signs %#&@*?[\\ stand for themselves as %25, %23, ...
/// ErrorKind::usage, with an example, for anything else.
Result<HubQuery> hub_query_of(const std::string& word);

/// "12" and "9-12" -> the least and the most. ErrorKind::usage for what is no such range.
Result<void> read_opsets(const std::string& flag, const std::string& text, HubFilter& filter);

/// All that are meant; of models with one name only the one of the highest opset, unless the query names opsets.
/// ErrorKind::not_found where there is none, with the closest name.
Result<std::vector<HubModel>> models_meant(const std::vector<HubModel>& models, const HubQuery& query);

/// The word that stands for this model alone.
std::string word_of(const HubQuery& query, const HubModel& model);

}  // namespace culprit
