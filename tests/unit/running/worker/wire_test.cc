#include "worker/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "process/channel.h"

namespace culprit {
namespace {

OptimizeJob two_recipes() {
  OptimizeJob job;
  job.model = "/models/\xff.onnx";  // not UTF-8: neither need paths be
  job.recipes = {{"onnx_optimizer", {}, Repeat::once}, {"onnx_optimizer", {"a", "b"}, Repeat::stable}};
  job.folder = "/variants";
  job.limits = {1.5, 1000};
  job.rewrites = {{}, {7, {{"a", "out\xff"}, {"b", ""}}, true, true}};
  job.most_places = 9;
  job.infers_types = true;
  return job;
}

template <class Message>
Message through_bytes(const Message& message) {
  Message back;
  EXPECT_TRUE(back.ParseFromString(message.SerializeAsString()));
  return back;
}

TEST(Wire, OptimizeJobsComeBack) {
  const OptimizeJob job = two_recipes();
  const OptimizeJob back = wire::decode(through_bytes(wire::encode(job, "/scratch")));
  EXPECT_EQ(back.model, job.model);
  EXPECT_EQ(back.optimizer, job.optimizer);
  EXPECT_EQ(back.recipes, job.recipes);
  EXPECT_EQ(back.rewrites, job.rewrites);
  EXPECT_EQ(back.folder, job.folder);
  EXPECT_EQ(back.limits.cpu_seconds, 1.5);
  EXPECT_EQ(back.limits.memory_bytes, 1000u);
  EXPECT_EQ(back.most_places, 9u);
  EXPECT_TRUE(back.infers_types);
}

TEST(Wire, PlacesComeBackAsFarAsTheyMakeSense) {
  const std::vector<Place> places = {{"fuse_bn_into_conv", "BatchNormalization", "y\xff", {"x", "", "w"}},
                                     {"a", "Relu", std::string(5000, 'y'), {"x"}},
                                     {"a", "Concat", "c", std::vector<std::string>(100, "x")},
                                     {"a", "Relu", "r", {"x"}}};
  wire::Places sent;
  wire::encode(places, sent);
  EXPECT_THAT(wire::decode(through_bytes(sent), 10), testing::ElementsAre(places[0], places[3]));
  EXPECT_EQ(wire::decode(sent, 1).size(), 1u);
  sent.mutable_places(0)->set_op_type(std::string(5000, 'o'));  // a liar's
  EXPECT_THAT(wire::decode(sent, 10), testing::ElementsAre(places[3]));
}

TEST(Wire, VisitsGoInPartsThatAreFarSmallerThanAMessageMayBe) {
  std::vector<RewriteVisit> visits;
  for (int i = 0; i < 60'000; ++i) visits.push_back({{"p", std::string(200, 'o') + std::to_string(i)}, "Relu", {"in"}});
  const auto parts = wire::encode_visits(3, visits);
  std::vector<RewriteVisit> back;
  for (const wire::Traced& part : parts) {
    EXPECT_EQ(part.recipe(), 3u);
    EXPECT_LT(part.ByteSizeLong(), Channel::largest_message / 8);
    for (const wire::RewriteVisit& visit : part.visits()) back.push_back(wire::decode(visit));
  }
  EXPECT_EQ(back, visits);
  EXPECT_GT(parts.size(), 10u);
  EXPECT_TRUE(wire::encode_visits(0, {}).empty());
}

TEST(Wire, BundledRunsComeBack) {
  const auto bundle = std::make_shared<const std::filesystem::path>("/chunk/0.packs");
  RunJob job;
  job.bundled = BundledRuns{{PackPlace(bundle, 64), PackPlace(bundle, 192), PackPlace("/own.pack")}, "/outputs.packs"};
  const wire::RunJob sent = through_bytes(wire::encode(job, {"lib.so", ""}));
  const auto back = wire::decode(sent);
  ASSERT_TRUE(back && back->bundled);
  EXPECT_EQ(back->bundled->outputs, "/outputs.packs");
  ASSERT_EQ(back->sample_count(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back->bundled->samples[i].file(), job.bundled->samples[i].file());
    EXPECT_EQ(back->bundled->samples[i].at(), job.bundled->samples[i].at());
  }
  wire::RunJob lying = sent;
  lying.mutable_bundled()->set_file(1, 7);
  EXPECT_FALSE(wire::decode(lying)) << "there are two files";
  lying = sent;
  lying.mutable_bundled()->add_at(1);
  EXPECT_FALSE(wire::decode(lying));
}

TEST(Wire, RunJobsComeBack) {
  RunJob job;
  job.model = "m";
  job.session = {Level::layout, 3, {"a.so", "b.so"}, "saved"};
  job.session.provider = "CUDA";
  job.session.data_folder = "data";
  job.session.fetch = {"conv/Relu:0", "b"};
  job.session.feed = {"conv:0"};
  job.session.trusted = true;
  job.fills_memory = true;
  job.samples = {"0", "1"};
  job.inputs = {{"x", "y", DType::f16}, {"z", "z", DType::undefined}};
  job.outputs = {{"h", "hn"}, {"c", "cn"}};
  job.folder = "out";
  const wire::RunJob sent = through_bytes(wire::encode(job, {"lib.so", "tflite"}));
  EXPECT_EQ(wire::runner_of(sent), (RunnerSpec{"lib.so", "tflite"}));
  const auto back = wire::decode(sent);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->session.level, Level::layout);
  EXPECT_EQ(back->session.threads, 3);
  EXPECT_EQ(back->session.custom_ops, job.session.custom_ops);
  EXPECT_EQ(back->session.save_optimized_to, "saved");
  EXPECT_EQ(back->session.provider, "CUDA");
  EXPECT_EQ(back->session.data_folder, "data");
  EXPECT_EQ(back->session.fetch, job.session.fetch);
  EXPECT_EQ(back->session.feed, job.session.feed);
  EXPECT_TRUE(back->session.trusted);
  EXPECT_EQ(back->samples, job.samples);
  EXPECT_EQ(back->outputs, job.outputs);
  ASSERT_EQ(back->inputs.size(), 2u);
  EXPECT_EQ(back->inputs[0].original, "x");
  EXPECT_EQ(back->inputs[0].variant, "y");
  EXPECT_EQ(back->inputs[0].cast_to, DType::f16);
  EXPECT_EQ(back->inputs[1].cast_to, DType::undefined);
  EXPECT_EQ(back->folder, "out");
  EXPECT_TRUE(back->fills_memory);
}

TEST(Wire, TheCauseOfAFailureComesBack) {
  Failure failure{Ending::threw, "no kernel", ""};
  failure.cause = FailureCause::no_kernel;
  wire::Failure sent = through_bytes(wire::encode(failure));
  EXPECT_EQ(wire::decode(sent)->cause, FailureCause::no_kernel);
  sent.set_cause(2);  // a liar's
  EXPECT_FALSE(wire::decode(sent));
}

VariantOutcome some_variant() {
  VariantOutcome outcome;
  outcome.recipe = 1;
  outcome.fingerprint = {7, 9};
  outcome.checker_complaint = "no";
  ValueInfo value;
  value.name = "x";
  value.dtype = DType::f32;
  value.has_shape = true;
  value.dims = {{3, ""}, {std::nullopt, "N"}};
  outcome.interface.inputs = {value};
  outcome.interface.outputs = {value, value};
  outcome.interface.outputs[1].kind = ValueInfo::Kind::sequence;
  outcome.interface.outputs[1].inside = {ValueInfo::Kind::map};
  outcome.interface.outputs[1].keys = DType::string;
  outcome.facts.nodes = 5;
  outcome.facts.opsets = {{"", 13}, {"ai.onnx.ml", 2}};
  outcome.facts.inputs = {"x: float32[3,N]"};
  outcome.ops_changed = {{"Conv", -3}};
  outcome.warnings = {{"dead_node", "one"}};
  outcome.lost_types = {"output 'y'", "input 'x'"};
  outcome.seconds = 0.25;
  outcome.rewrites = {
      3, {{{"a", "out\xff"}, "Conv", {"x", ""}}, {{"b", ""}, "", {}}}, RewriteVisit{{"c", "y"}, "Add", {"x"}, true}};
  return outcome;
}

TEST(Wire, VariantsComeBackWithAFileOfTheirFingerprint) {
  const VariantOutcome outcome = some_variant();
  const auto back = wire::decode(through_bytes(wire::encode(outcome)), two_recipes());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->recipe, 1u);
  EXPECT_EQ(back->fingerprint, outcome.fingerprint);
  EXPECT_EQ(back->file, "/variants/" + outcome.fingerprint.hex() + ".onnx");
  EXPECT_EQ(back->checker_complaint, "no");
  EXPECT_EQ(back->interface, outcome.interface);
  EXPECT_EQ(back->facts.nodes, 5);
  EXPECT_EQ(back->facts.opsets, outcome.facts.opsets);
  EXPECT_EQ(back->facts.inputs, outcome.facts.inputs);
  EXPECT_EQ(back->ops_changed, outcome.ops_changed);
  EXPECT_EQ(back->warnings, outcome.warnings);
  EXPECT_EQ(back->lost_types, outcome.lost_types);
  EXPECT_EQ(back->seconds, 0.25);
  EXPECT_EQ(back->rewrites.count, 3u);
  EXPECT_EQ(back->rewrites.visits, outcome.rewrites.visits);
  EXPECT_EQ(back->rewrites.asking, outcome.rewrites.asking);
}

TEST(Wire, WhatWasNotMadeHasNoFile) {
  VariantOutcome outcome = some_variant();
  outcome.skipped_by_scan = true;
  EXPECT_TRUE(wire::decode(wire::encode(outcome), two_recipes())->file.empty());
  outcome = some_variant();
  outcome.failure = {Ending::crashed, "killed by SIGSEGV", "\x1b[31mred"};
  const auto failed = wire::decode(wire::encode(outcome), two_recipes());
  EXPECT_TRUE(failed->file.empty());
  EXPECT_EQ(failed->failure.last_words, "red");
}

TEST(Wire, VariantsThatMakeNoSense) {
  const auto refused = [](auto change) {
    wire::Variant wire = wire::encode(some_variant());
    change(wire);
    return !wire::decode(wire, two_recipes());
  };
  EXPECT_FALSE(refused([](wire::Variant&) {}));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.set_recipe(2); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.set_recipe(UINT64_MAX); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.mutable_failure()->set_ending(6); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.set_seconds(std::nan("")); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.set_seconds(-1); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.mutable_interface()->mutable_inputs(0)->set_dtype(1000); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.mutable_interface()->mutable_outputs(1)->set_kind(99); }));
  EXPECT_TRUE(refused([](wire::Variant& wire) { wire.mutable_rewrites()->set_count(1); }));  // two are listed
}

TEST(Wire, RunsThatMakeNoSense) {
  RunOutcome done;
  const auto refused = [&](auto change) {
    wire::Ran wire = wire::encode(done, Level::all);
    change(wire);
    return !wire::decode(wire, {});
  };
  EXPECT_FALSE(refused([](wire::Ran&) {}));
  EXPECT_EQ(wire::decode(wire::encode(done, Level::all), {})->level, "all");
  EXPECT_TRUE(refused([](wire::Ran& wire) { wire.set_stage(4); }));
  EXPECT_TRUE(refused([](wire::Ran& wire) { wire.set_stage(1); }));                      // not done, and no failure
  EXPECT_TRUE(refused([](wire::Ran& wire) { wire.mutable_failure()->set_ending(2); }));  // done, and a failure
  EXPECT_TRUE(refused([](wire::Ran& wire) { wire.set_seconds_run(INFINITY); }));
  EXPECT_TRUE(refused([](wire::Ran& wire) { wire.set_profile("p_1.json"); }));  // none was asked for
}

TEST(Wire, AProfileIsAFileInTheFolderThatWasNamed) {
  const TemporaryFolder folder = TemporaryFolder::create(fs::temp_directory_path(), "wire").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "p_1.json", "[]"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "other.json", "[]"));
  fs::create_directory(folder.path() / "p_folder");
  fs::create_symlink("/etc/passwd", folder.path() / "p_link");
  const auto profile_of = [&](const std::string& name) -> std::optional<fs::path> {
    wire::Ran wire = wire::encode(RunOutcome(), Level::all);
    wire.set_profile(name);
    const auto outcome = wire::decode(wire, folder.path() / "p");
    return outcome ? std::optional(outcome->profile) : std::nullopt;
  };
  EXPECT_EQ(profile_of("p_1.json"), folder.path() / "p_1.json");
  for (const char* name : {"", "p_2.json", "other.json", "p_folder", "p_link", "p_folder/../p_1.json", ".", ".."})
    EXPECT_FALSE(profile_of(name)) << name;
}

TEST(Wire, BytesThatAreNoMessage) {
  EXPECT_FALSE(wire::parse<wire::FromWorker>("################"));
  EXPECT_FALSE(wire::parse<wire::FromWorker>(""));
  wire::FromWorker message;
  message.mutable_forked();
  EXPECT_TRUE(wire::parse<wire::FromWorker>(message.SerializeAsString()));
}

}  // namespace
}  // namespace culprit
