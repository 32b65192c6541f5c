// A program as an Optimizer: what it makes of a copy of the model's file.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "model/external_data.h"
#include "model/model.h"
#include "optimizer/command/ask_to_run.h"
#include "optimizer/command/exception_line.h"
#include "optimizer/command/program_description.h"
#include "optimizer/optimizer.h"
#include "process/how_it_ended.h"
#include "process/run_program.h"

namespace culprit {
namespace {

[[noreturn]] void throw_error(const std::string& what, const Error& error) {
  if (error.kind == ErrorKind::io) throw MachineFailed(what + ": " + error.text());
  throw std::runtime_error(what + ": " + error.text());
}

Hash128 hash_of(const fs::path& file) {
  const auto mapped = MappedFile::open(file);
  if (!mapped) return {};
  const auto bytes = mapped->bytes();
  return hash128({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// What was said last on stderr, which is a file here.
std::string end_of_our_log() {
  constexpr off_t most = 16384;
  struct stat state {};
  if (::fstat(STDERR_FILENO, &state) != 0 || !S_ISREG(state.st_mode)) return "";
  const off_t from = std::max<off_t>(0, state.st_size - most);
  std::string text(static_cast<std::size_t>(state.st_size - from), '\0');
  const ssize_t got = ::pread(STDERR_FILENO, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

/// Folders of one call: the model that it reads, what it writes, and where it works, which is empty: what a model has
/// beside it is no module of Python's.
class CallFolders {
 public:
  explicit CallFolders(const fs::path& scratch) {
    auto made = TemporaryFolder::create(scratch, scratch_prefix(::getpid()));
    if (!made) throw_error("no folder for the program", made.error());
    folder_.emplace(std::move(*made));
    for (const char* part : {"in", "out", "work"})
      if (auto ok = make_folder(folder_->path() / part); !ok) throw_error("no folder for the program", ok.error());
  }
  [[nodiscard]] fs::path input() const { return folder_->path() / "in" / "model.onnx"; }
  [[nodiscard]] fs::path output() const { return folder_->path() / "out" / "model.onnx"; }
  [[nodiscard]] fs::path work() const { return folder_->path() / "work"; }

 private:
  std::optional<TemporaryFolder> folder_;
};

class CommandSession final : public OptimizerSession {
 public:
  explicit CommandSession(ImportPlace place) : place_(std::move(place)) {}

  void use(Weights& weights) override { weights_ = &weights; }
  void ask(const LineProgram* staying) override { staying_ = staying; }
  bool may_match(const std::string& /*pass*/) override { return true; }

  /// In a fork, whose log takes what the program says.
  onnx::ModelProto apply(const Recipe& recipe) override {
    if (std::exchange(is_used_up_, true)) throw std::logic_error("a session makes one variant");
    if (recipe.command.empty() && !recipe.passes.empty()) throw std::logic_error("the recipe has no command");
    if (recipe.command.empty()) return as_given();
    const CallFolders folders(place_.scratch);
    if (auto ok = copy_with_data(place_.file, folders.input()); !ok) throw_error("the model", ok.error());
    const Hash128 before = hash_of(folders.input());
    call(recipe, folders);
    if (hash_of(folders.input()) != before)
      throw std::runtime_error("it changed the file that it was given, and must leave that as it is");
    return taken(folders.output());
  }

 private:
  onnx::ModelProto as_given() {
    auto model = load_proto(place_.file);
    if (!model) throw_error("the model", model.error());
    inlined(*model, place_.file.parent_path());
    return std::move(*model);
  }

  static void inlined(onnx::ModelProto& model, const fs::path& folder) {
    if (auto whole = inline_external_data(model, folder); !whole)
      throw_error("what it wrote lacks data", whole.error());
  }

  void call(const Recipe& recipe, const CallFolders& folders) const {
    ProgramCall call{
        filled_in(recipe.command, "input", folders.input().string()), folders.work(), {}, recipe.may_use_network};
    call.words = filled_in(std::move(call.words), "output", folders.output().string());
    auto status = staying_ == nullptr ? std::nullopt : ask_to_run(*staying_, call);
    if (!status) {
      const auto ended = run_program(call);
      if (!ended) throw MachineFailed(ended.error().text());
      status = *ended;
    }
    if (WIFSIGNALED(*status)) {
      // As the program ended, so does this process: then it is told and tried again as any other is.
      std::signal(WTERMSIG(*status), SIG_DFL);
      ::raise(WTERMSIG(*status));
    }
    if (WEXITSTATUS(*status) == 0) return;
    throw std::runtime_error(how_it_failed(WEXITSTATUS(*status), recipe.may_use_network));
  }

  /// What a Python program raised comes first: that is what people look for.
  static std::string how_it_failed(int status, bool may_use_network) {
    const std::string ended = fmt::format("the program ended with exit status {}{}", status,
                                          may_use_network ? "" : " (it is given no network)");
    const std::string raised = exception_line(end_of_our_log());
    return raised.empty() ? ended : raised + "; " + ended;
  }

  onnx::ModelProto taken(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
      throw std::runtime_error("the program ended well (exit status 0), but wrote no file");
    auto model = load_proto(file);
    if (!model) throw_error("the program wrote a file that is no model", model.error());
    inlined(*model, file.parent_path());
    // The elements of the model as given are of no more use, and lie where those of the variant will.
    if (weights_ != nullptr) *weights_ = {};
    return std::move(*model);
  }

  ImportPlace place_;
  Weights* weights_ = nullptr;            // of a large model
  const LineProgram* staying_ = nullptr;  // to be asked in place of starting one
  bool is_used_up_ = false;
};

class CommandOptimizer final : public Optimizer {
 public:
  [[nodiscard]] std::string name() const override { return command_optimizer_name; }
  [[nodiscard]] std::string version() const override { return ""; }
  [[nodiscard]] std::vector<PassInfo> passes() const override { return {}; }
  std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& /*model*/, const ImportPlace& place) override {
    return std::make_unique<CommandSession>(place);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_command_optimizer() { return std::make_unique<CommandOptimizer>(); }

}  // namespace culprit
