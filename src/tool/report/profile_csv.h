#pragma once
// A profile as tables for spreadsheets and pandas: RFC 4180 (commas, CRLF, quotes doubled), one header line, UTF-8.
// Names of columns are stable, and new ones come last. Seconds, bytes, watts and degrees Celsius without units in the
// cells; what was not measured is empty. Texts that a spreadsheet would take for a formula (=, +, -, @ in front) get a
// ' in front; report.json has them as they are.

#include <string>

#include "record/profile.h"

namespace culprit {

/// One row for each entry. Of several devices the first one that was read; of quality all metrics in one cell,
/// "top1=0.71;top5=0.9".
std::string to_csv(const ProfileReport& report);
/// One row for each node that the runtime's profile tells of, of all entries.
std::string nodes_to_csv(const ProfileReport& report);
/// One row for each setting of a sweep.
std::string sweep_to_csv(const SweepRecord& sweep);
/// One row for each run that counts: its entry, its block, its seconds. For other statistics than ours.
std::string samples_to_csv(const ProfileReport& report);

}  // namespace culprit
