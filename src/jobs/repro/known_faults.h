#pragma once
// Faults that are known already: a file that users keep, schema culprit.known/1, as a list of distinct causes and as a
// baseline in CI, where new faults fail and known ones do not.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "record/fault_record.h"
#include "record/report.h"
#include "repro/repro_json.h"

namespace culprit {

inline constexpr std::string_view known_schema = "culprit.known/1";

/// What tells one cause from another.
struct FaultKey {
  std::vector<std::string> culprits;  ///< in their order
  Verdict verdict = Verdict::diverged;
  std::string signature;
  std::string fingerprint;  ///< of the reduced model, 32 hex digits; "" where it was not reduced
};

/// Have they the same passes, verdict and signature, and the same reduced model, where both have one?
bool is_same(const FaultKey& one, const FaultKey& other);
FaultKey key_of(const FaultRecord& fault);
FaultKey key_of(const ReproFacts& facts);

struct KnownFault {
  std::string id;  ///< "K-3"
  FaultKey key;
  std::string note;    ///< of whoever added it; may be empty
  std::string source;  ///< the file name of the model that showed it
};

/// In the order in which they were added.
using KnownFaults = std::vector<KnownFault>;

/// The first that is the same; null where none is.
const KnownFault* find_known(const KnownFaults& known, const FaultKey& key);

/// Adds it under the next id, or gives the one that is there already the note, unless that is empty. Returns the id.
std::string add_known(KnownFaults& known, const ReproFacts& facts, const std::string& note);

/// Every fault of the report that is known gets its id and note.
void mark_known(ModelReport& report, const KnownFaults& known);

/// ErrorKind::not_found where there is no such file; bad_input, with what is wrong and where, for anything that is not
/// such a list, or one of another version.
Result<KnownFaults> read_known(const std::filesystem::path& path);
/// Written beside and renamed.
Result<void> write_known(const KnownFaults& known, const std::filesystem::path& path);

}  // namespace culprit
