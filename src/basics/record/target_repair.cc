#include "record/target_repair.h"

#include "base/word_names.h"

namespace culprit {
namespace {

constexpr WordNames<RepairStatus, 5> repair_statuses{{{RepairStatus::clean, "clean"},
                                                      {RepairStatus::mended, "mended"},
                                                      {RepairStatus::fed_right, "fed_right"},
                                                      {RepairStatus::not_mended, "not_mended"},
                                                      {RepairStatus::cannot_judge, "cannot_judge"}}};

}  // namespace

std::string_view name_of(RepairStatus status) { return name_in(repair_statuses, status); }

int exit_code_of(RepairStatus status) {
  if (status == RepairStatus::not_mended) return 1;
  return status == RepairStatus::cannot_judge ? 3 : 0;
}

}  // namespace culprit
