#include "optimizer/command/program_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "optimizer/command/read_program_description.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string options = R"(
data: [--data, "{data}"]
options:
  - {name: weight_type, list: [printf, 'QInt8\nQUInt8\n'], words: [--weights, "{value}"]}
  - {name: per_channel, values: ["yes", "no"], words: ["--per_channel={value}"]}
)";

class ProgramOptions : public ::testing::Test {
 protected:
  static ReadSpec read(const std::string& more = options) {
    auto spec = read_command_spec("name: mine\ncommand: run {input} {output} {choice}\n" + more, "mine.yaml", "/here");
    EXPECT_TRUE(spec) << spec.error().text();
    return spec ? *spec : ReadSpec{};
  }
  Result<std::vector<std::string>> command_with(const GivenOptions& given, const ReadSpec& from = read()) {
    CommandSpec spec = from.spec;
    return choose_options(spec, from.known, given, folder_->path()).map([&] { return spec.command; });
  }
  Error error_of(const std::string& name, const std::string& value, const ReadSpec& from = read()) {
    const auto command = command_with({{{name, value}}, {}}, from);
    EXPECT_FALSE(command);
    return command ? Error{} : command.error();
  }
  Result<TemporaryFolder> folder_ = TemporaryFolder::create(::testing::TempDir(), "options-");
};

TEST_F(ProgramOptions, BecomeWordsInFrontOfTheChoice) {
  EXPECT_THAT(*command_with({{{"weight_type", "QUInt8"}, {"per_channel", "yes"}}, "/data"}),
              ElementsAre("run", "{input}", "{output}", "--weights", "QUInt8", "--per_channel=yes", "--data", "/data",
                          "{choice}"));
  EXPECT_THAT(*command_with({}), ElementsAre("run", "{input}", "{output}", "{choice}"));
}

TEST_F(ProgramOptions, AWrongValueIsAnErrorThatListsTheAllowedOnes) {
  const Error listed = error_of("weight_type", "int8");
  EXPECT_EQ(listed.kind, ErrorKind::usage);
  EXPECT_THAT(listed.text(), AllOf(HasSubstr("--option weight_type=int8: mine has no such weight_type"),
                                   HasSubstr("allowed: QInt8, QUInt8")));
  EXPECT_THAT(error_of("per_channel", "maybe").text(), HasSubstr("allowed: yes, no"));
}

TEST_F(ProgramOptions, AnUnknownOneIsAnErrorThatNamesThoseThatThereAre) {
  EXPECT_THAT(error_of("weight_typ", "QInt8").text(), HasSubstr("did you mean 'weight_type'?"));
  EXPECT_THAT(error_of("zzz", "1").text(), HasSubstr("it has weight_type, per_channel"));
  EXPECT_THAT(error_of("zzz", "1", read("")).text(), HasSubstr("it has none"));
}

TEST_F(ProgramOptions, DataThatAProgramDoesNotTakeAreNotItsOwn) {
  EXPECT_THAT(*command_with({{}, "/data"}, read("")), ElementsAre("run", "{input}", "{output}", "{choice}"));
}

TEST_F(ProgramOptions, AProgramThatCannotTellItsValuesIsAnError) {
  const auto fails = read("options:\n  - {name: a, list: ['false'], words: ['{value}']}\n");
  EXPECT_THAT(error_of("a", "1", fails).text(), HasSubstr("`false`"));
}

TEST_F(ProgramOptions, MistakesOfTheDescriptionAreNamed) {
  const auto complaint = [](const std::string& more) {
    const auto spec = read_command_spec("name: x\ncommand: run {input} {output}\n" + more, "x.yaml", "/");
    return spec ? "" : spec.error().text();
  };
  EXPECT_THAT(complaint("options: [{name: a, words: [x]}]"), HasSubstr("either 'values' or a 'list'"));
  EXPECT_THAT(complaint("options: [{name: a, values: [x]}]"), HasSubstr("'words'"));
  EXPECT_THAT(complaint("options: {name: a}"), HasSubstr("'options' must be a list"));
  EXPECT_THAT(complaint("options: [{nam: a}]"), HasSubstr("did you mean 'name'?"));
}

}  // namespace
}  // namespace culprit
