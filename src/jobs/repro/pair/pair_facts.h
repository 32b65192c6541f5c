#pragma once
// repro.json of a repro of a pair, schema culprit.pair-repro/1, and README.md: what is in the folder, what is wrong and
// by which limits. Fields are only ever added. repro.py reads it; so nothing of a model's names is spliced into code.

#include <string>
#include <vector>

#include "record/diagnosis.h"
#include "repro/pair/cut_pair.h"

namespace culprit {

/// Elements may be off by `floor` where it is strict; else by atol + rtol * |value|.
struct PairLimit {
  bool is_strict = false;  ///< all is within the tolerance, and a fault nevertheless
  double atol = 0, rtol = 0, floor = 0;
};

/// The element that is furthest off.
struct PairElement {
  std::vector<std::int64_t> at;  ///< in the layout of the target
  double right = 0, wrong = 0;
};

struct PairFacts {
  ConversionFault fault;
  std::string source_model, target_model;  ///< names of the files that were diagnosed
  std::string source_file, target_file;    ///< "source.onnx"; "": there is none
  const CutPair* cut = nullptr;
  PairLimit limit;
  std::optional<PairElement> furthest;
  std::string tool_version;
};

/// "target 'v5' differs by 0.5 in 3 of 32 elements"
std::string what_differs(const PairFacts& facts);
std::string to_json(const PairFacts& facts);
/// An issue text, ready to post to the converter's tracker.
std::string issue_text(const PairFacts& facts);

}  // namespace culprit
