#include "cli/commands/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/text.h"
#include "cli/command_line.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Completion : public ::testing::Test {
 protected:
  /// A folder with the script, and a `culprit` on the PATH that knows two passes.
  void SetUp() override {
    folder_ = *TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-completion-");
    const auto tool = folder_.path() / "culprit";
    std::ofstream(tool) << "#!/bin/sh\nprintf 'fuse_one\\nfuse_two\\n'\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    std::ofstream(folder_.path() / "model.onnx") << "x";
    std::ofstream(folder_.path() / "script") << completion_script(Shell::bash, outline_of_commands());
  }

  /// What bash offers for the last word of this command line.
  std::vector<std::string> offered(const std::vector<std::string>& words) {
    std::string quoted;
    for (const auto& word : words) quoted += " '" + word + "'";
    std::ofstream(folder_.path() / "ask")
        << "cd '" << folder_.path().string() << "'\nPATH=$PWD:$PATH\nsource ./script\nCOMP_WORDS=(" << quoted
        << ")\nCOMP_CWORD=" << words.size() - 1
        << "\n_culprit\n((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    std::FILE* out = popen(("bash '" + (folder_.path() / "ask").string() + "'").c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), out)) > 0;)
      text.append(buffer.data(), got);
    pclose(out);
    return split(trim(text), '\n');
  }

  TemporaryFolder folder_ = *TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-completion-");
};

TEST_F(Completion, EveryScriptHasEveryOptionOfEveryCommand) {
  for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
    const std::string script = completion_script(shell, outline_of_commands());
    for (const CommandOutline& command : outline_of_commands()) {
      EXPECT_THAT(script, HasSubstr(command.name));
      for (const OptionOutline& option : command.options)
        for (const std::string& name : option.names) {
          const std::string for_fish =
              name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
          EXPECT_THAT(script, HasSubstr(shell == Shell::fish ? for_fish : name)) << command.name;
        }
    }
  }
}

TEST_F(Completion, TheOutlineKnowsWhatOptionsTake) {
  using Takes = OptionOutline::Takes;
  std::map<std::string, Takes> takes;
  for (const CommandOutline& command : outline_of_commands())
    if (command.name == "check")
      for (const OptionOutline& option : command.options)
        takes[option.names.empty() ? "" : option.names.back()] = option.takes;
  EXPECT_EQ(takes.at("--budget"), Takes::anything);
  EXPECT_EQ(takes.at("--labels"), Takes::file);
  EXPECT_EQ(takes.at("--task"), Takes::words);
  EXPECT_EQ(takes.at("--fail-on"), Takes::words);
  EXPECT_EQ(takes.size(), 42U) << "a new option: say here what it takes";
  EXPECT_EQ(takes.at("--option"), Takes::anything);
  EXPECT_EQ(takes.at("--generate"), Takes::anything);
  EXPECT_EQ(takes.at(""), Takes::file);
  EXPECT_EQ(takes.at("--each"), Takes::passes);
  EXPECT_EQ(takes.at("--passes"), Takes::passes);
  EXPECT_EQ(takes.at("--format"), Takes::words);
  EXPECT_EQ(takes.at("--repeat"), Takes::words);
  EXPECT_EQ(takes.at("--deploy-level"), Takes::words);
  EXPECT_EQ(takes.at("--optimizer"), Takes::anything) << "names, and files";
  EXPECT_EQ(takes.at("--data"), Takes::file);
  EXPECT_EQ(takes.at("--preprocess"), Takes::file);
  EXPECT_EQ(takes.at("--run-dir"), Takes::folder);
  EXPECT_EQ(takes.at("--strict"), Takes::nothing);
  EXPECT_EQ(takes.at("--no-localize"), Takes::nothing);
  EXPECT_EQ(takes.at("--no-repro"), Takes::nothing);
  EXPECT_EQ(takes.at("--known"), Takes::file);
  EXPECT_EQ(takes.at("--second-runtime"), Takes::file);
  EXPECT_EQ(takes.at("--trust-runtime"), Takes::nothing);
  EXPECT_EQ(takes.at("--python"), Takes::file);
  EXPECT_EQ(takes.at("--samples"), Takes::anything);
}

TEST_F(Completion, BashOffersCommandsOptionsAndValues) {
  EXPECT_THAT(offered({"culprit", ""}),
              ElementsAre("check", "localize", "optimize", "orders", "run", "compare", "diagnose", "repair", "eval",
                          "profile", "data", "reduce", "replay", "known", "show", "merge", "hub", "passes",
                          "optimizers", "doctor", "completion"));
  EXPECT_THAT(offered({"culprit", "--v"}), ElementsAre("--version"));
  EXPECT_THAT(offered({"culprit", "check", "--s"}), ElementsAre("--samples", "--seed", "--strict", "--second-runtime"));
  EXPECT_THAT(offered({"culprit", "check", "--format", ""}), ElementsAre("text", "json"));
  EXPECT_THAT(offered({"culprit", "check", "--repeat", "=", "s"}), ElementsAre("stable"));
  EXPECT_THAT(offered({"culprit", "check", "--repeat", "="}), ElementsAre("once", "library", "stable"));
  EXPECT_THAT(offered({"culprit", "check", "--deploy-level", ""}),
              ElementsAre("off", "basic", "extended", "layout", "all"));
  EXPECT_THAT(offered({"culprit", "completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offered({"culprit", "check", "--samples", ""}), IsEmpty());
  EXPECT_THAT(offered({"culprit", "known", ""}), ElementsAre("add", "list", "remove"));
}

TEST_F(Completion, BashOffersPassesAndFiles) {
  EXPECT_THAT(offered({"culprit", "check", "--each", "fuse_t"}), ElementsAre("fuse_two"));
  EXPECT_THAT(offered({"culprit", "check", "--passes", "fuse_one,"}),
              ElementsAre("fuse_one,fuse_one", "fuse_one,fuse_two"));
  EXPECT_THAT(offered({"culprit", "check", "mod"}), ElementsAre("model.onnx"));
  EXPECT_THAT(offered({"culprit", "check", "--strict", ""}), Contains("model.onnx"));
}

TEST_F(Completion, QuotesInHelpAreQuotedAsEachShellWants) {
  EXPECT_THAT(completion_script(Shell::zsh, outline_of_commands()), HasSubstr("the optimizer'\\''s passes\\: kind"));
  EXPECT_THAT(completion_script(Shell::fish, outline_of_commands()), HasSubstr("the optimizer\\'s passes: kind"));
}

class CompletionOf : public Completion, public ::testing::WithParamInterface<std::pair<Shell, std::string>> {};

TEST_P(CompletionOf, AShellIsWellFormed) {
  const auto& [shell, name] = GetParam();
  if (std::system(("command -v " + name + " >/dev/null").c_str()) != 0)
    GTEST_SKIP() << "no " << name << ": apt-get install " << name;
  const auto script = folder_.path() / name;
  std::ofstream(script) << completion_script(shell, outline_of_commands());
  EXPECT_EQ(std::system((name + " -n '" + script.string() + "'").c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionOf,
                         ::testing::Values(std::pair{Shell::bash, "bash"}, std::pair{Shell::zsh, "zsh"},
                                           std::pair{Shell::fish, "fish"}),
                         [](const auto& test) { return test.param.second; });

}  // namespace
}  // namespace culprit
