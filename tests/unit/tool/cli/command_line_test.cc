#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

CheckArguments check(Words words) {
  words.insert(words.begin(), "check");
  const auto command = parse_command_line(words);
  EXPECT_TRUE(command) << (command ? "" : command.error().text());
  return command ? std::get<CheckArguments>(*command) : CheckArguments{};
}

std::string complaint(const Words& words) {
  const auto command = parse_command_line(words);
  EXPECT_FALSE(command);
  if (command) return "";
  EXPECT_EQ(command.error().kind, ErrorKind::usage);
  EXPECT_FALSE(command.error().hint.empty()) << command.error().message;
  return command.error().text();
}

std::string check_complaint(Words words) {
  words.insert(words.begin(), {"check", "m.onnx"});
  return complaint(words);
}

TEST(CommandLine, DefaultsAreThoseOfTheDesign) {
  const CheckArguments a = check({"m.onnx"});
  EXPECT_THAT(a.request.models, ElementsAre("m.onnx"));
  EXPECT_EQ(a.request.data.samples.samples, 0);
  EXPECT_EQ(a.request.data.samples.seed, 0U);
  EXPECT_TRUE(a.request.optimizer.recipe.empty() && a.request.optimizer.each.empty() &&
              !a.request.optimizer.all_passes);
  EXPECT_EQ(a.request.optimizer.repeat, Repeat::once);
  EXPECT_FALSE(a.request.judging.tolerance.atol || a.request.judging.tolerance.rtol || a.request.judging.strict);
  EXPECT_EQ(a.request.judging.confirmations, 2);
  EXPECT_EQ(a.request.running.limits.cpu_seconds, 120);
  EXPECT_EQ(a.request.running.session.threads, 1);
  EXPECT_EQ(a.request.running.deploy_level, Level::all);
  EXPECT_EQ(a.request.running.jobs, 0);
  EXPECT_EQ(a.printing.format, Format::text);
  EXPECT_TRUE(a.printing.output.empty() && a.request.folder.run_dir.empty() && a.request.quoted.repeat_flags.empty());
  EXPECT_FALSE(a.printing.quiet || a.printing.verbose || a.request.folder.keep_variants);
  EXPECT_THAT(a.request.quoted.command, ElementsAre("culprit", "check", "m.onnx"));
}

TEST(CommandLine, EveryFlagArrives) {
  const CheckArguments a = check({"a.onnx",    "b.onnx", "--data",       "d",         "--samples", "5",
                                  "--seed",    "7",      "--input",      "x=[1,2,3]", "--input",   "y=y.npy",
                                  "--dim",     "N=2",    "--each",       "p,q",       "--repeat",  "stable",
                                  "--runtime", "1.22.1", "--custom-ops", "l.so",      "--jobs",    "3",
                                  "--timeout", "2m",     "--budget",     "90s",       "--memory",  "1GB",
                                  "--threads", "2",      "--confirm",    "4",         "--atol",    "1e-5",
                                  "--rtol",    "0",      "--strict",     "--run-dir", "r",         "--keep-variants",
                                  "--format",  "json",   "-o",           "out.json",  "--quiet",   "--deploy-level",
                                  "extended"});
  EXPECT_THAT(a.request.models, ElementsAre("a.onnx", "b.onnx"));
  EXPECT_EQ(a.request.data.samples.data, "d");
  EXPECT_EQ(a.request.data.samples.samples, 5);
  EXPECT_EQ(a.request.data.samples.seed, 7U);
  EXPECT_THAT(a.request.data.samples.inputs, ElementsAre("x=[1,2,3]", "y=y.npy"));
  EXPECT_EQ(a.request.data.samples.dims.at("N"), 2);
  EXPECT_THAT(a.request.optimizer.each, ElementsAre("p", "q"));
  EXPECT_EQ(a.request.optimizer.repeat, Repeat::stable);
  EXPECT_EQ(a.request.running.runtime, "1.22.1");
  EXPECT_THAT(a.request.running.session.custom_ops, ElementsAre("l.so"));
  EXPECT_EQ(a.request.running.jobs, 3);
  EXPECT_EQ(a.request.running.limits.cpu_seconds, 120);
  EXPECT_EQ(a.request.running.budget, 90);
  EXPECT_EQ(a.request.running.limits.memory_bytes, 1'000'000'000U);
  EXPECT_EQ(a.request.running.session.threads, 2);
  EXPECT_EQ(a.request.running.deploy_level, Level::extended);
  EXPECT_EQ(a.request.judging.confirmations, 4);
  EXPECT_EQ(a.request.judging.tolerance.atol, 1e-5);
  EXPECT_EQ(a.request.judging.tolerance.rtol, 0.0);
  EXPECT_TRUE(a.request.judging.strict && a.request.folder.keep_variants && a.printing.quiet);
  EXPECT_TRUE(a.request.folder.keep_repros);
  EXPECT_FALSE(check({"m.onnx", "--no-repro"}).request.folder.keep_repros);
  EXPECT_EQ(a.request.folder.run_dir, "r");
  EXPECT_EQ(a.printing.format, Format::json);
  EXPECT_EQ(a.printing.output, "out.json");
  EXPECT_EQ(join(a.request.quoted.repeat_flags, " "),
            "--data d --samples 5 --seed 7 --input x=[1,2,3] --input y=y.npy --dim N=2 --atol 1e-5 --rtol 0 --strict "
            "--runtime 1.22.1 "
            "--custom-ops l.so --timeout 2m --memory 1GB --threads 2 --deploy-level extended");
}

TEST(CommandLine, FlagsDoNotSwallowTheModelsBehindThem) {
  EXPECT_THAT(check({"--each", "p", "m.onnx"}).request.models, ElementsAre("m.onnx"));
  EXPECT_THAT(check({"--input", "x=1", "m.onnx", "--dim", "N=1", "n.onnx"}).request.models,
              ElementsAre("m.onnx", "n.onnx"));
  EXPECT_THAT(check({"--passes", "a", "--passes", "b", "m.onnx"}).request.optimizer.recipe, ElementsAre("a", "b"));
  EXPECT_THAT(check({"--", "-m.onnx"}).request.models, ElementsAre("-m.onnx"));
  EXPECT_EQ(check({"m.onnx", "-o", "-"}).printing.output, "");
}

TEST(CommandLine, ContradictionsAreRefused) {
  EXPECT_THAT(check_complaint({"--passes", "a", "--each", "b"}),
              HasSubstr("--passes and --each contradict each other"));
  EXPECT_THAT(complaint({"check", "m.onnx", "--trust-runtime"}), HasSubstr("--second-runtime"));
  EXPECT_THAT(check_complaint({"--passes", "a", "--all-passes"}), HasSubstr("--all-passes"));
  EXPECT_THAT(check_complaint({"--each", "a", "--all-passes"}), HasSubstr("--all-passes"));
  EXPECT_THAT(check_complaint({"--quiet", "--verbose"}), HasSubstr("--quiet"));
}

TEST(CommandLine, NonsenseIsRefusedWithTheFlagAndTheValue) {
  const std::vector<Words> nonsense{
      {"--samples", "0"},   {"--samples", "-3"}, {"--samples", "x"},  {"--samples", ""},     {"--seed", "-1"},
      {"--atol", "nan"},    {"--atol", "-1"},    {"--rtol", "inf"},   {"--repeat", "twice"}, {"--jobs", "0"},
      {"--jobs", "-1"},     {"--timeout", "0"},  {"--budget", "0"},   {"--timeout", "soon"}, {"--memory", "-1GB"},
      {"--memory", "lot"},  {"--threads", "0"},  {"--confirm", "-1"}, {"--dim", "N"},        {"--dim", "N=0"},
      {"--input", "x"},     {"--input", "=1"},   {"--input", "x="},   {"--each", "a,,b"},    {"--passes", ","},
      {"--format", "yaml"}, {"--each", ""},      {"--run-dir", ""},   {"--data", ""},        {"--deploy-level", "99"}};
  for (const Words& words : nonsense) {
    const std::string text = check_complaint(words);
    EXPECT_THAT(text, HasSubstr(words[0])) << words[1];
    EXPECT_THAT(text, HasSubstr(words[1]));
  }
}

TEST(CommandLine, WhatIsUnknownGetsTheClosestName) {
  EXPECT_THAT(check_complaint({"--sampels", "3"}), HasSubstr("unknown option '--sampels'; did you mean --samples?"));
  EXPECT_THAT(check_complaint({"--sampels=3"}), HasSubstr("did you mean --samples?"));
  EXPECT_THAT(complaint({"chek", "m.onnx"}), HasSubstr("unknown command 'chek'; did you mean check?"));
  const auto named = std::filesystem::current_path() / "-dash.onnx";
  std::ofstream(named) << "";
  EXPECT_THAT(complaint({"check", "-dash.onnx"}), HasSubstr("for the file write './-dash.onnx'"));
  std::filesystem::remove(named);
  EXPECT_THAT(complaint({"check", "-dash.onnx"}), Not(HasSubstr("./-dash.onnx")));
  EXPECT_THAT(complaint({"check", "--sampels"}), HasSubstr("unknown option '--sampels'")) << "whatever is missing";
  EXPECT_THAT(complaint({"doctor", "--runtim", "x"}), HasSubstr("did you mean --runtime?"));
  EXPECT_THAT(complaint({"passes", "more"}), HasSubstr("unexpected word 'more'"));
  EXPECT_THAT(complaint({"completion", "bsh"}), HasSubstr("did you mean bash?"));
}

TEST(CommandLine, WhatIsMissingIsSaid) {
  EXPECT_THAT(complaint({}), HasSubstr("no command was given"));
  EXPECT_THAT(complaint({"check"}), HasSubstr("MODEL"));
  EXPECT_THAT(complaint({"check", ""}), HasSubstr("the name of a model is empty"));
  EXPECT_THAT(check_complaint({"--samples"}), HasSubstr("--samples"));
  EXPECT_THAT(check_complaint({"--samples", "1", "--samples", "2"}), HasSubstr("--samples"));
  EXPECT_THAT(complaint({"completion"}), HasSubstr("SHELL"));
}

TEST(CommandLine, OptimizeTakesTheFlagsOfCheck) {
  const auto command = parse_command_line({"optimize", "m.onnx", "-o", "out.onnx", "--require-all", "--passes", "a,b",
                                           "--repeat", "stable", "--samples", "2", "--atol", "0.5", "--jobs", "3"});
  ASSERT_TRUE(command) << command.error().text();
  const auto& optimize = std::get<OptimizeArguments>(*command);
  EXPECT_EQ(optimize.request.out, "out.onnx");
  EXPECT_TRUE(optimize.request.require_all);
  EXPECT_THAT(optimize.request.check.models, ElementsAre("m.onnx"));
  EXPECT_EQ(optimize.printing.output, "") << "that is where check prints";
  EXPECT_THAT(optimize.request.check.optimizer.recipe, ElementsAre("a", "b"));
  EXPECT_EQ(optimize.request.check.optimizer.repeat, Repeat::stable);
  EXPECT_EQ(optimize.request.check.data.samples.samples, 2);
  EXPECT_EQ(optimize.request.check.judging.tolerance.atol, 0.5);
  EXPECT_EQ(optimize.request.check.running.jobs, 3);
  EXPECT_EQ(optimize.request.check.quoted.command.size(), 16U);
}

TEST(CommandLine, LocalizeIsACheckOfOneRecipe) {
  const auto command = parse_command_line({"localize", "m.onnx", "--passes", "b,a", "--repeat", "library"});
  ASSERT_TRUE(command) << command.error().text();
  const auto& localize = std::get<CheckArguments>(*command);
  EXPECT_THAT(localize.request.models, ElementsAre("m.onnx"));
  EXPECT_THAT(localize.request.optimizer.recipe, ElementsAre("b", "a"));
  EXPECT_EQ(localize.request.optimizer.repeat, Repeat::library);
  EXPECT_TRUE(localize.request.localize);
  EXPECT_TRUE(localize.printing.only_faults);
  EXPECT_EQ(localize.request.quoted.command.size(), 7U);
  EXPECT_THAT(complaint({"localize", "m.onnx"}), HasSubstr("--passes"));
  EXPECT_THAT(complaint({"localize", "m.onnx", "n.onnx", "--passes", "a"}), HasSubstr("MODEL"));
  const auto given = parse_command_line({"localize", "m.onnx", "--variant", "broken.onnx"});
  ASSERT_TRUE(given);
  EXPECT_EQ(std::get<CheckArguments>(*given).request.variant, "broken.onnx");
  EXPECT_TRUE(std::get<CheckArguments>(*given).request.optimizer.recipe.empty());
  EXPECT_THAT(complaint({"localize", "m.onnx", "--variant", "b.onnx", "--passes", "a"}),
              HasSubstr("--passes and --variant contradict each other"));
  EXPECT_THAT(complaint({"localize", "m.onnx", "--variant", "b.onnx", "--repeat", "stable"}), HasSubstr("--repeat"));
  EXPECT_THAT(complaint({"localize", "m.onnx"}), HasSubstr("--variant"));
  EXPECT_THAT(complaint({"localize", "m.onnx", "--passes", "a", "--no-localize"}),
              HasSubstr("has no option '--no-localize'"));
}

TEST(CommandLine, OnlyCheckCanDoWithoutRewrites) {
  EXPECT_TRUE(std::get<CheckArguments>(*parse_command_line({"check", "m.onnx"})).request.localize);
  EXPECT_FALSE(std::get<CheckArguments>(*parse_command_line({"check", "m.onnx", "--no-localize"})).request.localize);
  const auto optimize = parse_command_line({"optimize", "m.onnx", "-o", "o.onnx"});
  EXPECT_FALSE(std::get<OptimizeArguments>(*optimize).request.check.localize) << "its user wants a model that is right";
}

TEST(CommandLine, OptimizeNeedsAModelAndAPlaceForIt) {
  EXPECT_THAT(complaint({"optimize", "m.onnx"}), HasSubstr("--output"));
  EXPECT_THAT(complaint({"optimize", "-o", "out.onnx"}), HasSubstr("MODEL"));
  EXPECT_THAT(complaint({"optimize", "m.onnx", "-o", "-"}), HasSubstr("not printed"));
  EXPECT_THAT(complaint({"optimize", "m.onnx", "-o", "o.onnx", "--each", "a"}), HasSubstr("has no option '--each'"));
}

TEST(CommandLine, ReduceTakesAFaultAndAPlace) {
  const auto command = parse_command_line({"reduce", "m.onnx", "-o", "r/m.onnx", "--passes", "a,b", "--seed", "4"});
  ASSERT_TRUE(command) << command.error().text();
  const auto& reduce = std::get<ReduceArguments>(*command);
  EXPECT_EQ(reduce.request.out, "r/m.onnx");
  EXPECT_EQ(reduce.request.model, "m.onnx");
  EXPECT_THAT(reduce.request.optimizer.recipe, ElementsAre("a", "b"));
  EXPECT_EQ(reduce.request.data.samples.seed, 4U);
  EXPECT_EQ(reduce.request.running.budget, 120) << "there is an end to it";
  const auto with = parse_command_line({"reduce", "m.onnx", "-o", "o", "--check", "t {model}", "--budget", "5s"});
  EXPECT_EQ(std::get<ReduceArguments>(*with).request.command, "t {model}");
  EXPECT_EQ(std::get<ReduceArguments>(*with).request.running.budget, 5);
}

TEST(CommandLine, ReduceTakesDeltasByName) {
  const auto with = [](const std::string& deltas) {
    return std::vector<std::string>{"reduce", "m.onnx", "-o", "o", "--passes", "a", "--deltas", deltas};
  };
  const auto command = parse_command_line(with("strip, drop_nodes"));
  ASSERT_TRUE(command) << command.error().text();
  EXPECT_THAT(std::get<ReduceArguments>(*command).request.deltas, ElementsAre("strip", "drop_nodes"));
  EXPECT_THAT(complaint(with("drop_node")), HasSubstr("did you mean drop_nodes?"));
  EXPECT_THAT(complaint(with("strip,strip")), HasSubstr("named twice"));
  EXPECT_THAT(complaint(with("strip,")), HasSubstr("`culprit reduce --help` lists them"));
  EXPECT_THAT(complaint(with("cut_around")), HasSubstr("not known")) << "the command knows no values near the fault";
}

TEST(CommandLine, ReduceNeedsOneFault) {
  EXPECT_THAT(complaint({"reduce", "m.onnx", "--passes", "a"}), HasSubstr("--output"));
  EXPECT_THAT(complaint({"reduce", "m.onnx", "-o", "o"}), HasSubstr("neither --passes nor --check"));
  EXPECT_THAT(complaint({"reduce", "m.onnx", "-o", "o", "--passes", "a", "--check", "x {model}"}),
              HasSubstr("contradict"));
  EXPECT_THAT(complaint({"reduce", "m.onnx", "-o", "o", "--check", "x"}), HasSubstr("{model}"));
  EXPECT_THAT(complaint({"reduce", "m.onnx", "-o", "-", "--passes", "a"}), HasSubstr("not printed"));
}

TEST(CommandLine, CompareTakesTwoModelsAndTheFlagsOfCheck) {
  const auto command =
      parse_command_line({"compare", "a.onnx", "b.onnx", "--map", "x=p", "--map", "y=q", "--samples", "2", "--rtol",
                          "0.5", "--strict", "--format", "json", "-o", "out.json", "--no-repro"});
  ASSERT_TRUE(command) << command.error().text();
  const auto& compare = std::get<CompareArguments>(*command);
  EXPECT_EQ(compare.request.a, "a.onnx");
  EXPECT_EQ(compare.request.b, "b.onnx");
  EXPECT_THAT(compare.request.map, ElementsAre("x=p", "y=q"));
  EXPECT_EQ(compare.request.data.samples.samples, 2);
  EXPECT_EQ(compare.request.judging.tolerance.rtol, 0.5);
  EXPECT_TRUE(compare.request.judging.strict);
  EXPECT_FALSE(compare.request.folder.keep_repros);
  EXPECT_EQ(compare.printing.format, Format::json);
  EXPECT_EQ(compare.printing.output, "out.json");
  EXPECT_THAT(complaint({"compare", "a.onnx"}), HasSubstr("B"));
  EXPECT_THAT(complaint({"compare", "a", "b", "c"}), HasSubstr("unexpected word 'c'"));
  EXPECT_THAT(complaint({"compare", "a", "b", "--map", "x"}), HasSubstr("--map x: not A=B"));
  EXPECT_THAT(complaint({"compare", "a", "b", "--each", "p"}), HasSubstr("has no option '--each'"));
}

TEST(CommandLine, OtherCommands) {
  EXPECT_TRUE(std::holds_alternative<ShowVersion>(*parse_command_line({"--version"})));
  EXPECT_TRUE(std::get<PassesArguments>(*parse_command_line({"passes", "--format", "json"})).json);
  EXPECT_TRUE(std::get<PassesArguments>(*parse_command_line({"passes", "--names"})).names);
  EXPECT_THAT(complaint({"passes", "--names", "--format", "json"}), HasSubstr("contradict"));
  EXPECT_EQ(std::get<DoctorArguments>(*parse_command_line({"doctor", "--runtime", "1.20.1"})).runtime, "1.20.1");
  EXPECT_EQ(std::get<CompletionArguments>(*parse_command_line({"completion", "fish"})).shell, Shell::fish);
}

TEST(CommandLine, EveryHelpFits80ColumnsAndEndsWithAnExample) {
  for (const Words& words : std::vector<Words>{{"--help"},
                                               {"check", "--help"},
                                               {"optimize", "--help"},
                                               {"orders", "--help"},
                                               {"reduce", "--help"},
                                               {"replay", "--help"},
                                               {"compare", "--help"},
                                               {"known", "--help"},
                                               {"passes", "-h"},
                                               {"doctor", "--help"},
                                               {"completion", "--help"},
                                               {"twin", "--help"}}) {
    const std::string text = std::get<ShowHelp>(*parse_command_line(words)).text;
    const auto examples = text.rfind("Examples:\n  ");
    ASSERT_NE(examples, std::string::npos) << text;
    for (const std::string& line : split(text.substr(0, examples), '\n')) EXPECT_LE(display_width(line), 80) << line;
    for (const std::string& line : split(trim(std::string_view(text).substr(examples + 10)), '\n'))
      EXPECT_THAT(line, HasSubstr("culprit ")) << "examples are the last lines";
  }
}

TEST(CommandLine, HelpOfCheckExplainsEachGroupAndEachOption) {
  const std::string text = std::get<ShowHelp>(*parse_command_line({"check", "--help", "all"})).text;
  for (const char* group : {"\nData (", "\nPlan (", "\nJudging (", "\nRunning (", "\nOutput ("})
    EXPECT_THAT(text, HasSubstr(group));
  for (const CommandOutline& command : outline_of_commands())
    for (const OptionOutline& option : command.options)
      EXPECT_FALSE(option.help.empty()) << command.name << " " << option.names[0];
}

TEST(CommandLine, HiddenCommandsAreNotShown) {
  for (const char* hidden : {"worker", "twin"}) {
    EXPECT_THAT(std::get<ShowHelp>(*parse_command_line({"--help"})).text, ::testing::Not(HasSubstr(hidden)));
    for (const CommandOutline& command : outline_of_commands()) EXPECT_NE(command.name, hidden);
  }
  EXPECT_THAT(parse_command_line({"twim"}).error().message, ::testing::Not(HasSubstr("did you mean")));
}

TEST(CommandLine, Replay) {
  const auto plain = std::get<ReplayArguments>(*parse_command_line({"replay", "run/repro/F1", "other"}));
  EXPECT_THAT(plain.request.repros, ElementsAre("run/repro/F1", "other"));
  EXPECT_EQ(plain.request.tries, 3);
  EXPECT_EQ(plain.format, Format::text);
  const auto all = std::get<ReplayArguments>(*parse_command_line(
      {"replay", "r", "--tries", "7", "--runtime", "1.22.1", "--jobs", "2", "--timeout", "5s", "--format", "json"}));
  EXPECT_EQ(all.request.tries, 7);
  EXPECT_EQ(all.request.runtime, "1.22.1");
  EXPECT_EQ(all.request.jobs, 2);
  EXPECT_EQ(all.request.cpu_seconds, 5);
  EXPECT_EQ(all.format, Format::json);
  for (const Words& wrong :
       std::vector<Words>{{}, {"r", "--tries", "0"}, {"r", "--format", "xml"}, {"r", "--jobs", "0"}}) {
    Words words{"replay"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_FALSE(parse_command_line(words)) << join(words, " ");
  }
}

TEST(CommandLine, Known) {
  const auto add = std::get<KnownArguments>(
      *parse_command_line({"known", "add", "r/F1", "r/F2", "--known", "k.json", "--note", "issue 12"}));
  EXPECT_EQ(add.action, KnownAction::add);
  EXPECT_THAT(add.repros, ElementsAre("r/F1", "r/F2"));
  EXPECT_EQ(add.file, "k.json");
  EXPECT_EQ(add.note, "issue 12");
  const auto list = std::get<KnownArguments>(*parse_command_line({"known", "list", "--format", "json"}));
  EXPECT_EQ(list.action, KnownAction::list);
  EXPECT_EQ(list.file, "known.json");
  EXPECT_EQ(list.format, Format::json);
  for (const Words& wrong : std::vector<Words>{{}, {"add"}, {"list", "r"}, {"drop", "r"}}) {
    Words words{"known"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_FALSE(parse_command_line(words)) << join(words, " ");
  }
  EXPECT_EQ(check({"m.onnx", "--known", "k.json"}).request.known, "k.json");
  EXPECT_EQ(check({"m.onnx", "--second-runtime", "1.22.1"}).request.witnesses.second_runtime, "1.22.1");
  EXPECT_EQ(check({"m.onnx", "--python", "venv/bin/python"}).request.witnesses.python, "venv/bin/python");
  EXPECT_FALSE(check({"m.onnx"}).request.witnesses.trusts_runtime);
  const auto trusting = check({"m.onnx", "--second-runtime", "1.22.1", "--trust-runtime"});
  EXPECT_TRUE(trusting.request.witnesses.trusts_runtime);
  EXPECT_EQ(trusting.request.quoted.repeat_flags, (Words{"--second-runtime", "1.22.1", "--trust-runtime"}));
}

TEST(CommandLine, Twin) {
  const auto plain = std::get<TwinArguments>(*parse_command_line({"twin", "m.onnx", "-o", "t.onnx"}));
  EXPECT_EQ(plain.model, "m.onnx");
  EXPECT_EQ(plain.out, "t.onnx");
  EXPECT_FALSE(plain.twin.kind.has_value());
  EXPECT_EQ(plain.twin.seed, 0U);
  const auto seeded =
      std::get<TwinArguments>(*parse_command_line({"twin", "m.onnx", "-o", "t.onnx", "--reweight", "--seed", "7"}));
  EXPECT_EQ(seeded.twin.kind, TwinKind::reweighted);
  EXPECT_EQ(seeded.twin.seed, 7U);
  const auto frozen = std::get<TwinArguments>(*parse_command_line({"twin", "m.onnx", "-o", "t.onnx", "--frozen"}));
  EXPECT_EQ(frozen.twin.kind, TwinKind::frozen);
  for (const Words& wrong :
       std::vector<Words>{{"--frozen", "--reweight"}, {"--frozen", "--seed", "1"}, {"--seed", "x"}}) {
    Words words{"twin", "m.onnx", "-o", "t.onnx"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const auto refused = parse_command_line(words);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace culprit
