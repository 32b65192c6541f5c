#pragma once
// What models decided on one sample, in words and numbers that people and programs read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

struct RankedClass {
  std::string name;  ///< as the data or culprit.yaml spell it, else its number
  double score = 0;
};

/// In pixels of the model's input, or in shares of it.
struct ToldBox {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::string name;  ///< of its class
  double score = 0;
};

struct ToldDecision {
  std::string words = {};              ///< "label 7 (cat)", "3 boxes: 3 of class 1"
  std::string label = {};              ///< the class that was decided for; "" where none is
  std::vector<RankedClass> best = {};  ///< at most five, the best first; empty where there are no scores
  std::vector<ToldBox> boxes = {};     ///< the best first
  std::string truth = {};              ///< the class that is right; "" where nobody knows
  std::optional<bool> is_right = {};   ///< is the label the right one?
};

struct ToldModel {
  std::optional<ToldDecision> decision = {};  ///< absent: it failed on the sample
  bool is_changed = false;                    ///< it decides otherwise than the first model
  double margin = 0;                          ///< how sure the first was of what is different, in the task's unit
};

struct ToldSample {
  std::int64_t number = 0;
  std::string name;
  std::vector<ToldModel> models;  ///< in the order of the command line
};

}  // namespace culprit
