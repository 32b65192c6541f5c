#pragma once
// Which class a label stands for: a label that is a number is the class of that number, names have an order.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace culprit {

/// The class of a label that is a number: 8, 8.0 and 008 are class 8, as pandas writes them; -1 says that there is
/// none. Nothing for any other text, and from a million on.
std::optional<std::int32_t> numbered_class(std::string_view label);

/// Names of classes that somebody listed, in the order of the model's classes.
struct NamedClasses {
  std::vector<std::string> names;  ///< empty: nobody did
  std::string from;                ///< "/data/classes.txt", "`classes` in culprit.yaml"
};

struct ClassNumbers {
  std::map<std::string, std::int32_t, std::less<>> of_label;  ///< -1: the label says that there is none
  std::vector<std::string> names;                             ///< of class 0, 1, ...
  std::string how;  ///< "numbered by the order of their names: ant = 0, cat = 1"; "" where labels are numbers
};

/// Labels as a list or a data set spells them, in its order.
struct SpelledLabels {
  std::vector<std::string_view> labels;
  std::function<std::string(std::size_t)> place_of;  ///< "labels.csv, line 3", of one of them
  /// A hint for people on how to tell that labels are names, "give a classes.txt beside the files"; "": none.
  std::string way_to_name = {};
};

/// Numbers labels; what is a number, numbered_class tells. With `known`, a label is one of its names, or the number of
/// one. Without, either all labels are numbers, or they are names, numbered in their order; where half of them or more
/// are numbers and some are not, that is an error, for one slip of the pen would give all of them other classes. Errors
/// tell the place of the first one.
Result<ClassNumbers> number_labels(const SpelledLabels& labels, const NamedClasses& known);

/// Numbers folders that are named as what they show: where all names are numbers, they are the classes; else they are
/// numbered in the order of their names, as torchvision's ImageFolder does, or as `known` lists them.
Result<ClassNumbers> number_folders(const std::set<std::string>& folders, const NamedClasses& known);

/// Where each class has a column, their order counts.
ClassNumbers number_columns(const std::vector<std::string>& columns);

}  // namespace culprit
