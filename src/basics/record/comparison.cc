#include "record/comparison.h"

namespace culprit {

std::string_view name_of(MappedBy by) {
  switch (by) {
    case MappedBy::binding:
      return "binding";
    case MappedBy::computation:
      return "computation";
    case MappedBy::name:
      return "name";
    case MappedBy::position:
      return "position";
  }
  return "?";
}

std::string_view name_of(ValueState state) {
  switch (state) {
    case ValueState::equal:
      return "equal";
    case ValueState::made_here:
      return "made_here";
    case ValueState::inherited:
      return "inherited";
    case ValueState::unclear:
      return "unclear";
    case ValueState::unlike:
      return "unlike";
    case ValueState::not_read:
      return "not_read";
    case ValueState::fused:
      return "fused";
    case ValueState::gone:
      return "gone";
  }
  return "?";
}

std::string_view name_of(CompareStatus status) {
  switch (status) {
    case CompareStatus::same:
      return "same";
    case CompareStatus::part:
      return "part";
    case CompareStatus::not_reached:
      return "not_reached";
    case CompareStatus::weak_data:
      return "weak_data";
    case CompareStatus::nothing_in_common:
      return "nothing_in_common";
    case CompareStatus::cannot_judge:
      return "cannot_judge";
  }
  return "?";
}

double MapCoverage::percent() const {
  return values == 0 ? 100 : 100.0 * static_cast<double>(mapped + fused) / static_cast<double>(values);
}

}  // namespace culprit
