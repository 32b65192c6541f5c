// ONNX Runtime as it is: levels reach the session, errors keep its words, several versions work.
#include <cstdlib>

#include "runtime/find_library.h"
#include "runtime/open_runner.h"
#include "runtime_fixture.h"
#include "support/weights_outside.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// What every level but "off" changes: identities, and an Add of constants.
const char* const foldable_model = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  foldable (float[2] x) => (float[2] y)
  <float[2] one = {1, 1}, float[2] two = {2, 2}>
  {
    three = Add(one, two)
    a = Identity(x)
    b = Identity(a)
    c = Add(b, three)
    y = Identity(c)
  })";

std::vector<std::string> ops_at(Runner& runner, Level level, const fs::path& folder) {
  SessionOptions options;
  options.level = level;
  options.save_optimized_to = folder / "as_run.onnx";
  const auto session = runner.load(write_text_model(foldable_model, folder), options);
  if (!session) throw std::runtime_error(session.error().text());
  EXPECT_EQ((*session)->level(), level);
  return ops_in(options.save_optimized_to);
}

TEST_F(RuntimeTest, LevelOffReachesTheSession) {
  EXPECT_THAT(ops_at(*runner_, Level::off, folder()), ElementsAre("Add", "Identity", "Identity", "Add", "Identity"));
}

TEST_F(RuntimeTest, TheOtherLevelsReachTheSession) {
  for (const Level level : {Level::basic, Level::extended, Level::layout, Level::all})
    EXPECT_THAT(ops_at(*runner_, level, folder()), ElementsAre("Add")) << name_of(level);
}

// What the runtime saves names external data as they were, so it is loaded with their folder.
TEST_F(RuntimeTest, AModelMayLieApartFromItsData) {
  fs::create_directories(folder() / "data");
  fs::create_directories(folder() / "apart");
  write_with_weights_outside(folder() / "data/model.onnx");
  SessionOptions options;
  options.level = Level::basic;
  options.save_optimized_to = folder() / "apart/as_run.onnx";
  ASSERT_TRUE(runner_->load(folder() / "data/model.onnx", options));
  EXPECT_FALSE(runner_->load(folder() / "apart/as_run.onnx", {})) << "this test is of no use: nothing is outside";
  SessionOptions with_data;
  with_data.data_folder = folder() / "data";
  const auto session = runner_->load(folder() / "apart/as_run.onnx", with_data);
  EXPECT_TRUE(session) << session.error().text();
}

// Only from "extended" on are two nodes fused into one of com.microsoft.
TEST_F(RuntimeTest, BasicIsNotExtended) {
  const char* const fusable = R"(
    <ir_version: 8, opset_import: ["" : 13]>
    fusable (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3, 4}, float[2] b = {1, 1}>
    { m = Gemm(x, w, b)  y = Relu(m) })";
  SessionOptions options;
  options.save_optimized_to = folder() / "as_run.onnx";
  options.level = Level::basic;
  load(fusable, options);
  EXPECT_THAT(ops_in(options.save_optimized_to), ElementsAre("Gemm", "Relu"));
  options.level = Level::extended;
  load(fusable, options);
  EXPECT_THAT(ops_in(options.save_optimized_to), ElementsAre("FusedGemm"));
}

TEST_F(RuntimeTest, OutputsHaveNamesAndOrder) {
  const auto session = load(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    two (float[N] x, float[N] z) => (float[N] sum, float[N] difference) { difference = Sub(x, z)  sum = Add(x, z) })");
  const auto outputs = session->run({{"z", Tensor::of<float>({2}, {1, 2})}, {"x", Tensor::of<float>({2}, {10, 20})}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  ASSERT_THAT(*outputs, SizeIs(2));
  EXPECT_EQ((*outputs)[0].name, "sum");
  EXPECT_THAT((*outputs)[0].value.as<float>(), ElementsAre(11, 22));
  EXPECT_THAT((*outputs)[1].value.as<float>(), ElementsAre(9, 18));
}

TEST_F(RuntimeTest, AsksTheValueNotTheDeclaration) {
  const auto session = load(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    unknown (float[N] x) => (int64[M, K] y) { y = NonZero(x) })");
  const auto outputs = session->run({{"x", Tensor::of<float>({4}, {0, 5, 0, 6})}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT((*outputs)[0].value.shape(), ElementsAre(1, 2));
  EXPECT_THAT((*outputs)[0].value.as<std::int64_t>(), ElementsAre(1, 3));
}

TEST_F(RuntimeTest, ErrorsKeepTheRuntimesWordsAndCode) {
  const auto invalid = try_load(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    invalid (float[N] x) => (float[N] y) { y = NoSuchOperator(x) })");
  ASSERT_FALSE(invalid);
  EXPECT_THAT(invalid.error().message, AllOf(HasSubstr("ONNX Runtime ("), HasSubstr("NoSuchOperator")));
  const auto session = load(foldable_model);
  const auto wrong_shape = session->run({{"x", Tensor::of<float>({3}, {1, 2, 3})}});
  ASSERT_FALSE(wrong_shape);
  EXPECT_THAT(wrong_shape.error().message, HasSubstr("INVALID_ARGUMENT"));
  EXPECT_FALSE(session->run({{"no_such_input", Tensor::of<float>({2}, {1, 2})}}));
  EXPECT_FALSE(session->run({}));
  EXPECT_EQ(runner_->load(folder() / "nothing.onnx", {}).error().kind, ErrorKind::not_found);
}

TEST_F(RuntimeTest, TakesCustomOperators) {
  const char* const text = R"(
    <ir_version: 8, opset_import: ["" : 13, "culprit.test" : 1]>
    custom (float[N] x) => (float[N] y) { y = culprit.test.Twice(x) })";
  EXPECT_FALSE(try_load(text));
  SessionOptions options;
  options.custom_ops = {CULPRIT_TEST_CUSTOM_OPS};
  const auto outputs = load(text, options)->run({{"x", Tensor::of<float>({2}, {1, 2})}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT((*outputs)[0].value.as<float>(), ElementsAre(2, 4));
  options.custom_ops = {folder() / "missing.so"};
  EXPECT_THAT(try_load(text, options).error().message, HasSubstr("missing.so"));
}

/// Everything that calls the library in another way, for the header is newer than some libraries: words for what went
/// wrong.
std::string try_everything(Runner& runner, const fs::path& folder) {
  if (ops_at(runner, Level::off, folder).size() != 5) return "level off";
  if (ops_at(runner, Level::all, folder).size() != 1) return "level all";
  auto session = runner.load(folder / "model.onnx", {});
  const auto outputs = (*session)->run({{"x", Tensor::of<float>({2}, {1, 2})}});
  if (!outputs || !(*outputs)[0].value.identical(Tensor::of<float>({2}, {4, 5}))) return "run";
  if ((*session)->run({{"nothing", Tensor::of<float>({2}, {1, 2})}})) return "a run that must fail";
  SessionOptions options;
  options.custom_ops = {CULPRIT_TEST_CUSTOM_OPS};
  session = runner.load(write_text_model(R"(
    <ir_version: 8, opset_import: ["" : 13, "culprit.test" : 1]>
    all (float[N] x, string[N] s) => (float[N] y, string[N] t) { y = culprit.test.Twice(x)  t = Identity(s) })",
                                         folder),
                        options);
  if (!session) return session.error().text();
  const Tensor words = Tensor::from_strings({2}, {"a", "bcd"}).value();
  const auto both = (*session)->run({{"x", Tensor::of<float>({2}, {1, 2})}, {"s", words}});
  if (!both) return both.error().text();
  if (!(*both)[0].value.identical(Tensor::of<float>({2}, {2, 4}))) return "custom operators";
  return (*both)[1].value.identical(words) ? "all right" : "strings";
}

/// In a process of its own, for one process holds one library.
[[noreturn]] void use_version(const std::string& version) {
  auto runner = open_onnxruntime(find_onnxruntime(version).value());
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-version").value();
  const std::string result = runner ? try_everything(**runner, folder.path()) : runner.error().text();
  std::fprintf(stderr, "%s: %s\n", runner ? (*runner)->version().c_str() : "?", result.c_str());
  fs::remove_all(folder.path());
  std::_Exit(0);
}

class Versions : public ::testing::TestWithParam<const char*> {};

TEST_P(Versions, Work) {
  if (!find_onnxruntime(GetParam()))
    GTEST_SKIP() << "no ONNX Runtime " << GetParam() << ": scripts/setup runtime " << GetParam();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_version(GetParam()), ::testing::ExitedWithCode(0), std::string(GetParam()) + ": all right");
}

INSTANTIATE_TEST_SUITE_P(All, Versions, ::testing::Values("1.19.2", "1.20.1", "1.22.1", "1.31.1"));

TEST(OldRuntime, IsRefused) {
  const auto old = open_onnxruntime(CULPRIT_TEST_OLD_RUNTIME);
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(old.error().message, HasSubstr("1.18.1, which is older than 1.19"));
}

TEST_F(RuntimeTest, AnotherLibraryInTheSameProcessIsRefused) {
  const auto other = find_onnxruntime("1.20.1");
  if (!other) GTEST_SKIP() << "no ONNX Runtime 1.20.1: scripts/setup runtime 1.20.1";
  const auto second = open_onnxruntime(*other);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another ONNX Runtime is loaded already"));
  EXPECT_TRUE(open_onnxruntime(find_onnxruntime("").value()));  // the same again is fine
  load(foldable_model);
}

}  // namespace
}  // namespace culprit::testing
