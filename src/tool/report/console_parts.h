#pragma once
// The parts of a model's console report; each gives whole lines, or nothing. Only console.cc puts them together.

#include <cstdint>
#include <string>
#include <string_view>

#include "record/data_facts.h"
#include "record/report.h"
#include "record/variant_record.h"
#include "report/console.h"
#include "report/layout.h"

namespace culprit {

/// The table of the variants that changed something, and a line for those that did not.
std::string variants_part(const ModelReport& report, const ConsoleStyle& style);
/// "V38, V40 inconclusive: ...": no fault tells why.
std::string inconclusive_part(const ModelReport& report, const ConsoleStyle& style);
/// Every measurement of every variant that was run, with --verbose.
std::string measurements_part(const ModelReport& report, const ConsoleStyle& style);
/// What samples are directed at, a line each, with --verbose.
std::string directions_part(const ModelReport& report, const ConsoleStyle& style);
/// The noise floor of every output and what it is made of, a line each, with --verbose.
std::string floors_part(const ModelReport& report, const ConsoleStyle& style);
/// Every fault: culprit, what happened, and the command that shows more.
std::string faults_part(const ModelReport& report, const ConsoleStyle& style, const std::string& run_folder);
/// What is left to ship, where that is not simply everything; with --verbose always.
std::string safe_recipe_part(const ModelReport& report, const ConsoleStyle& style);

/// Its run at the deploy level, where that is what a fault of this report is about; else null.
const Deployed* failing_deployed(const ModelReport& report, const VariantRecord& variant);
/// Are `variants` about a file that was given and that no pass makes?
bool is_file_judged(const ModelReport& report);
/// "fuse_bn_into_conv", "bundle of 39 passes", "a,b,c", "round trip", "given".
std::string name_of_recipe(const VariantRecord& variant);
/// "3 samples (synthesized, seed 0, N=7|11)"
std::string data_text(const DataFacts& data);
Ink ink_of(Verdict verdict);

/// The line that names the script which shows a fault by itself. `repro`: the folder of the fault, below the run's.
std::string show_alone_line(const std::string& id, const std::string& repro, const std::string& run_folder,
                            const ConsoleStyle& style);

}  // namespace culprit
