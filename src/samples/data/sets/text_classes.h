#pragma once
// Which classes of a model the labels of prepared texts are. Labels that are names were numbered when the texts were
// prepared; a model may have another order.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "labels/class_numbers.h"
#include "model/model.h"
#include "texts/prepared_texts.h"

namespace culprit {

struct TextClasses {
  std::vector<std::string> names;           ///< of the model's class 0, 1, ...; empty: nobody names them
  std::vector<std::int64_t> of_label = {};  ///< the model's class of each label of the file; empty: they are the same
  std::vector<std::string> about = {};      ///< for people, a line each
};

/// The first of these that says it: `listed`, names of culprit.yaml; `id2label` in config.json beside the model, where
/// it has the names of all labels, in any case (names such as LABEL_0 say nothing); the file. Errors (bad_input): a
/// label is none of those that are listed.
Result<TextClasses> classes_of_texts(const PreparedFacts& texts, const NamedClasses& listed, const Model& model);

}  // namespace culprit
