#pragma once
// One call of the built tool on some models, and everything that must hold afterwards.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::fuzz {

struct NamedFile {
  std::string name;  ///< "17.onnx"
  std::string bytes;
};

enum class Command : std::uint8_t { check, optimize, compare, profile, eval };

/// What it is called on the command line.
std::string name_of(Command command);

struct Batch {
  Command command = Command::check;  ///< but for `check`, of one model; of `compare` with what it was made from
  std::vector<NamedFile> models;
  std::vector<std::string> flags;
  bool as_text = false;  ///< else --format json
};

struct BatchResult {
  std::vector<std::string> complaints;  ///< what should hold and does not; "" never
  nlohmann::json report;                ///< null where there is none
  double seconds = 0;
};

/// `folder` is made, and removed again where there was no complaint. What must hold: the tool ends, by itself, with
/// exit code 0, 1, 2 or 3; no process and no temporary file is left, and nothing in the models' folder was touched;
/// report.json follows the strict schema, says nothing that does not follow from itself, and has an entry for every
/// model (of `compare`, `profile` and `eval` it is there where they could judge); no byte of a file outside the models'
/// folder shows anywhere; nothing printed holds control characters.
BatchResult run_batch(const std::filesystem::path& binary, const Batch& batch, const std::filesystem::path& folder);

}  // namespace culprit::fuzz
