#include "fuzz/batch.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/file.h"
#include "fuzz/outside.h"

namespace culprit::fuzz {
namespace {

constexpr const char* secret_text = "not-for-models-2f6a91c4";  // lies outside the models' folder

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// The models, and beside them what their external data may name (tensors.cc).
void lay_out(const Batch& batch, const fs::path& folder) {
  constexpr std::size_t weights_bytes = 4096;
  const fs::path models = folder / "models";
  fs::create_directories(models / "folder.bin");
  fs::create_directories(folder / "tmp");
  fs::create_directories(folder / "out");
  std::string secret;
  while (secret.size() < weights_bytes) secret += secret_text;
  write(folder / "secret", secret);
  write(models / "weights.bin", std::string(weights_bytes, '\x3f'));
  fs::create_symlink("../secret", models / "link.bin");
  mkfifo((models / "pipe.bin").c_str(), 0600);  // reading it waits for ever
  for (const NamedFile& model : batch.models) write(models / model.name, model.bytes);
}

std::vector<std::string> command_of(const fs::path& binary, const Batch& batch, const fs::path& folder) {
  std::vector<std::string> words{binary, name_of(batch.command)};
  if (batch.command == Command::optimize) words.insert(words.end(), {"-o", folder / "out" / "optimized.onnx"});
  for (const NamedFile& model : batch.models) words.push_back(folder / "models" / model.name);
  words.insert(words.end(), {"--run-dir", folder / "run", "--format", batch.as_text ? "text" : "json"});
  words.insert(words.end(), batch.flags.begin(), batch.flags.end());
  return words;
}

/// What a run may leave beside its report: variants, and what shows the faults; of a profile its tables and pictures.
bool is_kept(Command command, const std::string& file) {
  static const std::set<std::string> of_profile{"./entries.csv", "./nodes.csv",  "./samples.csv",
                                                "./profile.md",  "./trace.json", "./figures"};
  if (command == Command::profile) return of_profile.contains(file) || file.starts_with("figures/");
  return file == "./variants" || file.starts_with("variants/") || file == "./repro" || file.starts_with("repro/");
}

/// They have a schema of their own.
bool is_of_check(Command command) { return command == Command::check || command == Command::optimize; }

class Inspection {
 public:
  Inspection(const Batch& batch, fs::path folder) : batch_(batch), folder_(std::move(folder)) {}

  void ended_well(const Ended& ended) {
    if (ended.hung) complain("it did not end");
    if (ended.exit < 0 || ended.exit > 3) complain("exit code " + std::to_string(ended.exit) + ": " + tail("stderr"));
  }

  void nothing_left(const std::string& mark, const std::vector<std::string>& before) {
    const auto running = left_running(mark);
    if (!running.empty()) complain(std::to_string(running.size()) + " processes are left");
    kill_all(running);
    if (const auto files = files_below(folder_ / "tmp"); !files.empty())
      complain("temporary files are left: " + files.front());
    if (files_below(folder_ / "models") != before) complain("the models' folder has other files than before");
    for (const std::string& file : files_below(folder_ / "run"))
      if (file != "./report.json" && !is_kept(batch_.command, file)) complain("the run folder holds " + file);
  }

  nlohmann::json report_is_right(int exit) {
    const fs::path file = folder_ / "run" / "report.json";
    const bool is_check = is_of_check(batch_.command);
    if (!fs::exists(file)) {
      if (is_check || exit < 2) complain("there is no report.json: " + tail("stderr"));
      if (tail("stderr").empty() && tail("stdout").empty()) complain("it ended without a word");
      return {};
    }
    const fs::path tests = fs::path(CULPRIT_SOURCE) / "tests" / "schema";
    const std::string schema = (is_check ? "report" : name_of(batch_.command)) + ".schema.json";
    script((tests / "validate.py").string() + "' '" + (fs::path(CULPRIT_SOURCE) / "docs" / schema).string(), file);
    if (!is_check) return {};
    script(tests / "recompute.py", file);
    auto report = nlohmann::json::parse(read_file(file).value(), nullptr, false);
    if (report.is_discarded()) return {};  // said above
    if (report["models"].size() != batch_.models.size())
      complain(std::to_string(report["models"].size()) + " entries for " + std::to_string(batch_.models.size()) +
               " models");
    return report;
  }

  /// What a model names may be shown, but not obeyed, by terminals either.
  void nothing_leaks() {
    for (const char* stream : {"stdout", "stderr"}) {
      const auto text = read_file(folder_ / stream).value_or("");
      const bool clean = std::ranges::none_of(
          text, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f; });
      if (!clean) complain(std::string("control characters on ") + stream);
      if (text.find(secret_text) != std::string::npos) complain(std::string("the secret is on ") + stream);
    }
    for (const char* written : {"run", "out"}) {
      for (const std::string& name : files_below(folder_ / written)) {
        const auto bytes = read_file(folder_ / written / name);
        if (bytes && bytes->find(secret_text) != std::string::npos) complain("the secret is in " + name);
      }
    }
  }

  std::vector<std::string> complaints;

 private:
  void complain(std::string what) { complaints.push_back(std::move(what)); }

  [[nodiscard]] std::string tail(const std::string& stream) const {
    constexpr std::size_t shown_letters = 400;
    const auto text = read_file(folder_ / stream).value_or("");
    return text.substr(text.size() - std::min(text.size(), shown_letters));
  }

  void script(const std::string& quoted, const fs::path& file) {
    const auto [exit, said] = output_of("/usr/bin/python3 '" + quoted + "' '" + file.string() + "'");
    if (exit != 0) complain(said);
  }

  const Batch& batch_;
  fs::path folder_;
};

}  // namespace

std::string name_of(Command command) {
  switch (command) {
    case Command::optimize:
      return "optimize";
    case Command::compare:
      return "compare";
    case Command::profile:
      return "profile";
    case Command::eval:
      return "eval";
    case Command::check:
      break;
  }
  return "check";
}

BatchResult run_batch(const fs::path& binary, const Batch& batch, const fs::path& folder) {
  constexpr double patience = 300, for_each = 120;  // seconds: far beyond what the limits allow
  fs::remove_all(folder);
  lay_out(batch, folder);
  const auto before = files_below(folder / "models");
  const Ended ended = run_watched(command_of(binary, batch, folder), folder, folder,
                                  patience + for_each * static_cast<double>(batch.models.size()));
  Inspection inspection(batch, folder);
  inspection.ended_well(ended);
  inspection.nothing_left(folder, before);
  BatchResult result;
  result.report = inspection.report_is_right(ended.exit);
  inspection.nothing_leaks();
  result.complaints = std::move(inspection.complaints);
  result.seconds = ended.seconds;
  if (result.complaints.empty()) fs::remove_all(folder);
  return result;
}

}  // namespace culprit::fuzz
