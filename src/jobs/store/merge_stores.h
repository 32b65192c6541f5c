#pragma once
// All rows of one store, taken into another one. Private to this room.

#include "base/error.h"
#include "store/case_types.h"
#include "store/database.h"

namespace culprit {

/// What becomes of attempts that have no end in the store that is taken in.
enum class OpenAttempts {
  are_lost,  ///< nobody writes to that store any more
  run,       ///< they are left out
};

/// In one transaction: all of it, or nothing. CaseStore::merge says the rules.
Result<MergeAnswer> merge_stores(const Database& into, const Database& from, OpenAttempts open_attempts);

}  // namespace culprit
