// Models are untrusted: whatever a file holds, the tool says one clear line, exits with the right code, and goes on
// with the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <fstream>

#include "base/random.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* small_model = R"(
<ir_version: 8, opset_import: ["" : 13]>
small (float[2,3] x) => (float[2,3] y)
<float[3] w = {1.5, -2.0, 0.25}, float[1] zero = {0.0}>
{
  a = Add(x, w)
  b = Identity(a)
  c = Add(b, zero)
  y = Relu(c)
})";

std::string model_bytes(const char* text, const std::function<void(onnx::ModelProto&)>& change = {}) {
  onnx::ModelProto model;
  EXPECT_TRUE(onnx::OnnxParser::Parse(model, text).IsOK());
  if (change) change(model);
  return model.SerializeAsString();
}

class HostileModels : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
    return folder_.path() / name;
  }
  void with_external(onnx::ModelProto& model, const std::string& location) {
    auto* w = model.mutable_graph()->mutable_initializer(0);
    w->clear_float_data();
    w->clear_raw_data();
    w->set_data_location(onnx::TensorProto::EXTERNAL);
    auto* entry = w->add_external_data();
    entry->set_key("location");
    entry->set_value(location);
  }
  fs::path external(const std::string& name, const std::string& location) {
    return write(name, model_bytes(small_model, [&](auto& model) { with_external(model, location); }));
  }
  /// The file cannot be judged: exit 3, one line that names it and holds `reason`, no crash, no trace of a fault.
  void expect_refused(const fs::path& path, const std::string& reason) {
    const Ran ran = culprit_check({path});
    EXPECT_EQ(ran.exit, 3) << path << "\n" << ran.out << ran.err;
    EXPECT_THAT(ran.out + ran.err, AllOf(HasSubstr(path.filename().string()), HasSubstr(reason))) << path;
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("internal error")));
  }
  TemporaryFolder folder_ = scratch();
};

TEST_F(HostileModels, FilesThatAreNoModels) {
  expect_refused(write("empty.onnx", ""), "empty");
  expect_refused(write("garbage.onnx", std::string("\x9c\xff\x13garbage\x00\xfe\xfe", 14)), "not an ONNX model");
  expect_refused(write("page.onnx", "<!DOCTYPE html><html>not here</html>"), "not an ONNX model");
  fs::create_directories(folder_.path() / "folder.onnx");
  expect_refused(folder_.path() / "folder.onnx", "folder");
  const fs::path pipe = folder_.path() / "pipe.onnx";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refused(pipe, "pipe.onnx");
}

TEST_F(HostileModels, OneThatIsNotThereIsWrongUsageInOneLine) {
  const fs::path missing = folder_.path() / "missing.onnx", there = write("empty.onnx", "");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", missing},
                                                {"check", there, missing},
                                                {"compare", there, missing},
                                                {"eval", missing},
                                                {"profile", missing},
                                                {"localize", there, "--variant", missing},
                                                {"optimize", missing, "-o", folder_.path() / "out.onnx"}}) {
    const Ran ran = culprit(words);
    EXPECT_EQ(ran.exit, 2) << words[0];
    EXPECT_THAT(ran.err, HasSubstr("missing.onnx: there is no such file. check the spelling")) << words[0];
    EXPECT_EQ(ran.out, "") << words[0];
  }
}

TEST_F(HostileModels, TruncatedAnywhere) {
  const std::string whole = model_bytes(small_model);
  std::vector<std::string> arguments;
  for (std::size_t size = 1; size < whole.size(); size += 7)
    arguments.push_back(write("cut" + std::to_string(size) + ".onnx", whole.substr(0, size)));
  const auto models = arguments.size();
  arguments.insert(arguments.end(), {"--samples", "1", "--each", "eliminate_identity"});
  const Ran ran = culprit_check(arguments);
  EXPECT_THAT(ran.exit, ::testing::AnyOf(0, 1, 3)) << ran.err;
  ASSERT_FALSE(ran.report.is_null()) << ran.err;
  EXPECT_EQ(ran.report["models"].size(), models);
}

TEST_F(HostileModels, NewerThanSupported) {
  expect_refused(write("ir.onnx", model_bytes(small_model, [](auto& model) { model.set_ir_version(99); })), "99");
  expect_refused(write("opset.onnx",
                       model_bytes(small_model, [](auto& model) { model.mutable_opset_import(0)->set_version(9999); })),
                 "9999");
}

/// Texts have no size on the disk that a shape tells, and bytes are drawn as wider numbers.
TEST_F(HostileModels, InputsOfMoreElementsThanFit) {
  for (const char* input : {"string[1,1,2,1099511627776] x", "string[4294967296] x", "float[4294967296] x"}) {
    const auto path = write("huge.onnx", model_bytes((std::string(R"(<ir_version: 8, opset_import: ["" : 13]> g ()") +
                                                      input + ") => (int64[r] y) { y = Shape(x) }")
                                                         .c_str()));
    const Ran ran = culprit_check({path.string(), "--samples", "1"});
    EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
    EXPECT_THAT(ran.out + ran.err, AllOf(HasSubstr("input 'x' would have the shape"), HasSubstr("too large")));
  }
}

TEST_F(HostileModels, WithoutNodes) {
  const Ran ran = culprit_check({write(
      "none.onnx", model_bytes("<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[2] x) { }"))});
  EXPECT_THAT(ran.exit, ::testing::AnyOf(0, 3)) << ran.out << ran.err;
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("internal error")));
}

TEST_F(HostileModels, ExternalDataThatIsMissingOrEscapes) {
  write("secret", std::string(12, 'x'));
  fs::create_directories(folder_.path() / "model");
  fs::create_symlink("../secret", folder_.path() / "model" / "link.bin");
  expect_refused(external("model/missing.onnx", "weights.bin"), "weights.bin");
  expect_refused(external("model/parent.onnx", "../secret"), "../secret");
  expect_refused(external("model/etc.onnx", "../../../../../../etc/passwd"), "etc/passwd");
  expect_refused(external("model/absolute.onnx", "/etc/passwd"), "/etc/passwd");
  expect_refused(external("model/link.onnx", "link.bin"), "link.bin");
}

TEST_F(HostileModels, ExternalDataInTheFolderIsRead) {
  const float weights[3] = {1.5F, -2.0F, 0.25F};
  write("weights.bin", std::string(reinterpret_cast<const char*>(weights), sizeof weights));
  const Ran ran = culprit_check({external("good.onnx", "weights.bin")});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
}

TEST_F(HostileModels, TheOthersAreStillChecked) {
  const Ran ran = culprit_check({write("bad.onnx", "nonsense"), write("good.onnx", model_bytes(small_model))});
  EXPECT_EQ(ran.exit, 3);
  ASSERT_EQ(ran.report["models"].size(), 2U) << ran.err;
  EXPECT_EQ(ran.report["models"][1]["baseline"]["status"], "ok");
  EXPECT_FALSE(ran.report["models"][1]["variants"].empty());
}

/// The bytes of a real model where there is one, else of the small one.
std::string real_model() {
  if (zoo().empty()) return model_bytes(small_model);
  return read_file(zoo() / "models" / "mnist-7.onnx").value();
}

std::string mutate(std::string bytes, Random& random) {
  const auto last = static_cast<std::int64_t>(bytes.size()) - 1;
  switch (random.between(0, 3)) {
    case 0:  // a few flipped bytes anywhere
      for (std::int64_t n = random.between(1, 8); n > 0; --n)
        bytes[random.between(0, last)] = static_cast<char>(random.next());
      break;
    case 1:  // a few flipped bytes in the structure, which stands at the ends
      for (std::int64_t n = random.between(1, 4); n > 0; --n)
        bytes[random.uniform() < 0.5 ? random.between(0, std::min<std::int64_t>(last, 2000))
                                     : random.between(std::max<std::int64_t>(0, last - 1500), last)] =
            static_cast<char>(random.next());
      break;
    case 2:  // cut
      bytes.resize(random.between(1, last));
      break;
    default: {  // a piece doubled or lost
      const auto from = random.between(0, last), length = random.between(1, 400);
      if (random.uniform() < 0.5)
        bytes.insert(from, bytes.substr(from, length));
      else
        bytes.erase(from, length);
    }
  }
  return bytes;
}

TEST_F(HostileModels, TwoHundredMutationsNeverBringTheParentDown) {
  const std::string whole = real_model();
  Random random(20);
  for (int batch = 0; batch < 10; ++batch) {
    std::vector<std::string> arguments;
    for (int i = 0; i < 20; ++i) arguments.push_back(write(std::to_string(i) + ".onnx", mutate(whole, random)));
    arguments.insert(arguments.end(),
                     {"--samples", "1", "--timeout", "20s", "--each", "fuse_add_bias_into_conv,eliminate_deadend"});
    const Ran ran = culprit_check(arguments);
    EXPECT_THAT(ran.exit, ::testing::AnyOf(0, 1, 3)) << ran.err;
    ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
    EXPECT_EQ(ran.report["models"].size(), 20U);
  }
}

}  // namespace
}  // namespace culprit::testing
