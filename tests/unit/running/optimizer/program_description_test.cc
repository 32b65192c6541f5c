// How a program's steps become words of its command line, and what a description may say.
#include "optimizer/command/program_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/command/find_command.h"
#include "optimizer/command/read_program_description.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CommandSpec spec_of(const std::string& steps, const std::string& command = "run {input} {output} {choice} --fast") {
  const auto read = read_command_spec("name: x\ncommand: " + command + "\nsteps:\n" + steps, "x.yaml", "/folder");
  EXPECT_TRUE(read) << read.error().text();
  return read ? read->spec : CommandSpec{};
}

TEST(WordsFor, StepsThatAreLeftOutAreNamed) {
  const CommandSpec spec = spec_of("  - {names: [a, b, c], skip: [--skip, '{steps}']}\n");
  EXPECT_THAT(words_for(spec, {"a", "b", "c"}), ElementsAre("run", "{input}", "{output}", "--fast"));
  EXPECT_THAT(words_for(spec, {"b"}), ElementsAre("run", "{input}", "{output}", "--skip", "a", "c", "--fast"));
  EXPECT_THAT(words_for(spec, {}), ElementsAre("run", "{input}", "{output}", "--skip", "a", "b", "c", "--fast"));
}

TEST(WordsFor, StepsThatAreDoneAreNamedInTheOrderOfTheRecipe) {
  const auto keeping = [](const std::string& ordered) {
    const auto read =
        read_command_spec("name: x\ncommand: run {input} {output}\nordered: " + ordered +
                              "\nsteps:\n  - {names: [a, b, c], keep: ['--passes={steps}'], keep_none: [-n]}\n",
                          "x.yaml", "/folder");
    return read->spec;
  };
  EXPECT_THAT(words_for(keeping("true"), {"c", "a"}), ElementsAre("run", "{input}", "{output}", "--passes=c,a"));
  EXPECT_THAT(words_for(keeping("false"), {"c", "a"}), ElementsAre("run", "{input}", "{output}", "--passes=a,c"));
  EXPECT_THAT(words_for(keeping("true"), {}), ElementsAre("run", "{input}", "{output}", "-n"));
}

TEST(WordsFor, AWordForEachStep) {
  const CommandSpec spec = spec_of("  - {names: [a, b, c], skip: ['--disable_{step}']}\n");
  EXPECT_THAT(words_for(spec, {"b"}),
              ElementsAre("run", "{input}", "{output}", "--disable_a", "--disable_c", "--fast"));
}

TEST(WordsFor, AllStepsMayHaveAWordOfTheirOwn) {
  const CommandSpec spec =
      spec_of("  - {names: [a, b], skip: [--skip, '{steps}'], skip_all: [--none]}\n  - {names: [c], skip: [--no-c]}\n");
  EXPECT_THAT(words_for(spec, {"c"}), ElementsAre("run", "{input}", "{output}", "--none", "--fast"));
  EXPECT_THAT(words_for(spec, {}), ElementsAre("run", "{input}", "{output}", "--none", "--no-c", "--fast"));
  EXPECT_THAT(words_for(spec, {"a", "c"}), ElementsAre("run", "{input}", "{output}", "--skip", "b", "--fast"));
}

TEST(WordsFor, WhatIsOffIsNotLeftOut) {
  const CommandSpec spec = spec_of("  - {names: [a, b], off: [b], skip: [--skip, '{steps}']}\n");
  EXPECT_THAT(words_for(spec, {"a"}), ElementsAre("run", "{input}", "{output}", "--fast"));
}

TEST(WordsFor, AProgramWithoutStepsIsCalledOrNot) {
  const auto read = read_command_spec("name: x\ncommand: run {input} {output}\n", "x.yaml", "/folder");
  ASSERT_TRUE(read);
  EXPECT_THAT(words_for(read->spec, {"x"}), ElementsAre("run", "{input}", "{output}"));
  EXPECT_THAT(words_for(read->spec, {}), IsEmpty());
  const OptimizerTraits traits = traits_of(read->spec);
  ASSERT_EQ(traits.steps.size(), 1U);
  EXPECT_EQ(traits.steps[0].name, "x");
  EXPECT_FALSE(traits.tries_steps_alone());
}

TEST(WithoutStep, OfAProgramIsCalledAnew) {
  const CommandSpec spec = spec_of("  - {names: [a, b], skip: [--skip, '{steps}']}\n");
  const OptimizerTraits traits = traits_of(spec);
  const Recipe both = recipe_of(traits, {"b", "a"});
  EXPECT_THAT(both.passes, ElementsAre("a", "b")) << "a set";
  const Recipe rest = without_step(both, 0, traits.command);
  EXPECT_EQ(rest, recipe_of(traits, {"b"}));
  EXPECT_THAT(rest.command, Contains("--skip"));
}

TEST(Portable, PathsOfThisMachineGo) {
  CommandSpec spec;
  spec.python = "/cache/bin/python";
  spec.packages = {"onnxsim", "onnx"};
  spec.found_version = "0.4.36";
  const PortableCall call = portable(spec, {"/cache/bin/python", "-m", "onnxsim", "{input}"});
  EXPECT_THAT(call.words, ElementsAre("{python}", "-m", "onnxsim", "{input}"));
  EXPECT_THAT(call.files, IsEmpty());
  EXPECT_THAT(packages_of(spec), ElementsAre("onnxsim==0.4.36", "onnx"));
}

TEST(ReadCommandSpec, DeepAndHugeTextsAreRefused) {
  const std::string deep = "name: " + std::string(100000, '[');
  EXPECT_FALSE(read_command_spec(deep, "x.yaml", "/"));
  EXPECT_FALSE(read_command_spec("- a\n- b\n", "x.yaml", "/"));
  EXPECT_FALSE(read_command_spec("", "x.yaml", "/"));
  EXPECT_FALSE(read_command_spec("steps: 3", "x.yaml", "/"));
}

TEST(ReadCommandSpec, ErrorsNameTheLine) {
  const auto read = read_command_spec(
      "name: x\ncommand: a {input} {output}\nsteps:\n  - names: {a: b}\n    skip: [c]\n", "x.yaml", "/");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("x.yaml: line 4: 'names' must be a list of words"));
}

TEST(Presets, CanAllBeRead) {
  EXPECT_THAT(preset_names(), ::testing::IsSupersetOf({"onnxsim", "onnxslim", "onnxscript", "quantize_static"}));
  for (const std::string& name : preset_names()) {
    const auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path(), "presets-");
    const auto found = find_command(name, folder->path());
    EXPECT_TRUE(found || found.error().text().find("its Python packages are not there") != std::string::npos)
        << found.error().text();
  }
}

TEST(NamesAFile, ByItsEndOrASlash) {
  EXPECT_TRUE(names_a_file("mine.yaml"));
  EXPECT_TRUE(names_a_file("./mine"));
  EXPECT_TRUE(names_a_file("mine.yml@1.2"));
  EXPECT_FALSE(names_a_file("onnxsim@0.4.36"));
}

}  // namespace
}  // namespace culprit
