#pragma once
// repro.json, schema culprit.repro/1: what is in the folder of a repro, what failed, and what it was judged by. Fields
// are only ever added. `repro.py` and `culprit replay` read it; so nothing of a model's names is spliced into code.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "judge/judge.h"
#include "record/evidence.h"

namespace culprit {

inline constexpr std::string_view repro_schema = "culprit.repro/1";

/// Value `name` lies in test_data_set_0/`file`; `form`: the kinds from the outside in, {"tensor"} for most.
struct ReproValue {
  std::string name, file;
  std::vector<std::string> form = {"tensor"};
  bool operator==(const ReproValue&) const = default;
};

/// One part of one output, by its label in reports: what it was judged by, and the elements that are ties.
struct ReproLimit {
  double atol = 0, rtol = 0, floor = 0;
  std::vector<std::int64_t> ties = {};
  bool operator==(const ReproLimit&) const = default;
};

struct ReproModel {
  std::string fingerprint;  ///< 32 hex digits; "" where there is no model
  std::int64_t nodes = 0;
};

struct ReproVersions {
  std::string culprit, onnx_optimizer, onnx, onnxruntime;
  std::string program = {};  ///< of a recipe that is a program's
};

struct ReproFacts {
  std::string fault;   ///< "F1" in the report it comes from
  std::string source;  ///< the model's file name, without its folder
  Verdict verdict = Verdict::diverged;
  FaultKind kind = FaultKind::single;
  std::optional<ControlName> control = {};  ///< of FaultKind::control: which one
  Attribution attribution = Attribution::optimizer;
  std::vector<std::string> culprits;
  std::string signature, message;
  std::string found_signature = {};        ///< the fault's on the model that was checked, before that was reduced
  Evidence evidence;                       ///< empty where values tell
  Recipe recipe;                           ///< that shows it; no passes: the round trip. A program's call is portable
  std::vector<std::string> packages = {};  ///< that the program needs: "onnxsim==0.8.1"
  Contract contract = Contract::equivalent;
  std::string level = "off";            ///< of the runtime, where it fails
  std::string reference_level = "off";  ///< where the model's own outputs come from
  std::int64_t threads = 1;
  Tolerance tolerance;  ///< as it was given
  bool strict = false;
  double cpu_seconds = 0;                    ///< limits of one attempt
  std::uint64_t memory_bytes = 0;            ///< 0: none
  std::vector<std::string> custom_ops = {};  ///< file names of libraries that the model needs
  std::vector<ReproValue> inputs, outputs;
  std::map<std::string, ReproLimit> limits;  ///< by label; of what was measured
  Measurements measurements;
  std::string confirmed;  ///< "2/2"
  ReproVersions versions;
  ReproModel model, variant;
  bool is_smallest = true;  ///< of a reduced model: no step makes it smaller; false where the time was up before
  bool is_reduced = false;  ///< the model is not the user's, but the smallest that was found to fail in the same way
};

std::string to_json(const ReproFacts& facts);

/// ErrorKind::bad_input for what is no repro.json, of another version, or lacks a field; `where` is what messages call
/// it.
Result<ReproFacts> parse_facts(std::string_view text, const std::string& where);

}  // namespace culprit
