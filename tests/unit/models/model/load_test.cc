#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/file.h"
#include "base/hash.h"
#include "model/fingerprint.h"
#include "model/model.h"
#include "model/model_diff.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LoadModel : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& bytes) {
    const fs::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << bytes;  // not write_file_atomic, which waits for the disk
    return path;
  }
  Error error_of(const fs::path& path) {
    const auto model = load_model(path);
    EXPECT_FALSE(model) << path;
    if (model) return {};
    EXPECT_THAT(model.error().message, HasSubstr(path.filename().string()));
    EXPECT_EQ(model.error().text().find('\n'), std::string::npos);
    return model.error();
  }
  Error error_of_bytes(const std::string& bytes) { return error_of(write("m.onnx", bytes)); }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "load_test").value();
};

const char* const model_with_bias = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N,3] x) => (float[N,3] y) <float[3] b = {1, 2, 3}> { t = Add(x, b) y = Relu(t) })";

TEST_F(LoadModel, GivesModelWithIdentity) {
  const std::string bytes = parse_model(model_with_bias).SerializeAsString();
  const auto path = write("m.onnx", bytes);
  const auto model = load_model(path);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->path, path);
  EXPECT_EQ(model->facts.path, path.string());
  EXPECT_EQ(model->facts.bytes, bytes.size());
  EXPECT_EQ(model->facts.sha256, sha256_of(bytes));
  EXPECT_EQ(model->facts.nodes, 2);
  EXPECT_EQ(model->interface.inputs.size(), 1U);
  EXPECT_FALSE(model->has_external_data);
  EXPECT_EQ(model->proto->SerializeAsString(), bytes);
}

TEST_F(LoadModel, LoadsGraphWithoutNodesAndOpsetsOfTheFuture) {
  auto model = parse_model(model_with_bias);
  model.mutable_graph()->clear_node();
  model.clear_opset_import();
  EXPECT_TRUE(load_model(write("empty.onnx", model.SerializeAsString())));
  auto future = parse_model(model_with_bias);
  future.mutable_opset_import(0)->set_version(4711);
  EXPECT_TRUE(load_model(write("future.onnx", future.SerializeAsString())));
}

TEST_F(LoadModel, LoadsByNameInCurrentFolder) {
  write("m.onnx", parse_model(model_with_bias).SerializeAsString());
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  EXPECT_TRUE(load_model("m.onnx"));
  fs::current_path(before);
}

TEST_F(LoadModel, SaysWhatIsNoFile) {
  EXPECT_EQ(error_of(folder_.path() / "missing.onnx").kind, ErrorKind::not_found);
  fs::create_directory(folder_.path() / "folder.onnx");
  error_of(folder_.path() / "folder.onnx");
  ASSERT_EQ(mkfifo((folder_.path() / "pipe.onnx").c_str(), 0600), 0);
  error_of(folder_.path() / "pipe.onnx");
  EXPECT_FALSE(load_model("/dev/zero"));
  EXPECT_FALSE(load_model(""));
}

TEST_F(LoadModel, SaysWhatIsUnreadable) {
  const auto path = write("m.onnx", "x");
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(path, fs::perms::none);
  const uid_t user = geteuid();
  ASSERT_EQ(seteuid(user == 0 ? 65534 : user), 0);  // root may read everything
  const Error error = error_of(path);
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_EQ(error.kind, ErrorKind::usage) << "whoever named it may not read it";
}

TEST_F(LoadModel, SaysTooLarge) {
  const auto path = write("m.onnx", "");
  fs::resize_file(path, std::uintmax_t{3} << 30);  // a hole: takes no space
  const Error error = error_of(path);
  EXPECT_EQ(error.kind, ErrorKind::unsupported);
  EXPECT_THAT(error.message, HasSubstr("2 GiB"));
  EXPECT_THAT(error.hint, HasSubstr("external data"));
}

TEST_F(LoadModel, SaysEmpty) { EXPECT_THAT(error_of_bytes("").message, HasSubstr("empty")); }

TEST_F(LoadModel, SaysWhatElseItLooksLike) {
  const std::pair<std::string, const char*> cases[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "git-LFS"},
      {"{\"a\": [1, 2]}", "JSON"},
      {"  [1]", "JSON"},
      {"<!DOCTYPE html><html>404</html>", "HTML"},
      {"<HTML>", "HTML"},
      {"<?xml version=\"1.0\"?><net/>", "XML"},
      {model_with_bias, "text form"},
      {"just words\n", "text"},
      {std::string("\x1c\0\0\0ORTM", 8) + std::string(40, '\1'), ".ort"},
      {std::string("PK\x03\x04\x14\0", 6), "zip"},
      {std::string("\x80\x02}q\0.", 6), "pickle"},
      {"\x89HDF\r\n\x1a\n", "HDF5"},
      {"\xff\xd8\xff\xe0", "JPEG"},
      {std::string(100, '\0'), "zero bytes"},
  };
  for (const auto& [bytes, said] : cases) {
    const Error error = error_of_bytes(bytes);
    EXPECT_EQ(error.kind, ErrorKind::bad_input) << said;
    EXPECT_THAT(error.message, AllOf(HasSubstr("not an ONNX model"), HasSubstr(said)));
    EXPECT_FALSE(error.hint.empty()) << said;
  }
}

TEST_F(LoadModel, SaysWhichCommandsTakeWhatAnotherFrameworkMade) {
  const Error error = error_of_bytes(std::string("\x1c\0\0\0TFL3", 8) + std::string(40, '\1'));
  EXPECT_EQ(error.kind, ErrorKind::usage);
  EXPECT_THAT(error.message, HasSubstr("not an ONNX model: it is a TFLite model"));
  EXPECT_THAT(error.hint, HasSubstr("culprit compare, diagnose, eval and profile"));
  const auto graph = load_model(write("graph.pb", std::string("\x0a\x02\x0a\x00", 4)));
  ASSERT_FALSE(graph);
  EXPECT_THAT(graph.error().message, HasSubstr("a frozen graph of TensorFlow"));
}

TEST_F(LoadModel, WhatIsCalledTfliteIsNeither) {
  const auto text = load_model(write("net.tflite", "no model at all\n"));
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("net.tflite: neither ONNX nor TFLite: it looks like text"));
}

TEST_F(LoadModel, SaysGarbage) {
  EXPECT_THAT(error_of_bytes("\xff\xfe\xfd\xfc\x01\x02").message, HasSubstr("not an ONNX model"));
  // Protobuf takes this for a message with one unknown field.
  EXPECT_THAT(error_of_bytes(std::string("\x52\x02\x01\x02", 4)).message, HasSubstr("holds no graph"));
}

TEST_F(LoadModel, EveryTruncationIsAnErrorThatSaysSo) {
  const std::string whole = parse_model(model_with_bias).SerializeAsString();
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const auto model = load_model(write("m.onnx", whole.substr(0, length)));
    ASSERT_FALSE(model) << length << " of " << whole.size();
  }
  EXPECT_THAT(error_of_bytes(whole.substr(0, whole.size() / 2)).message, HasSubstr("truncated"));
}

TEST_F(LoadModel, NoChangedByteCrashesAnything) {
  const auto good = parse_model(model_with_bias);
  const std::string whole = good.SerializeAsString();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      const auto model = load_model(write("m.onnx", bytes));
      if (!model) {
        EXPECT_FALSE(model.error().message.empty());
        continue;
      }
      fingerprint(*model->proto);
      structural_warnings(good, *model->proto);
      ops_changed(good, *model->proto);
    }
  }
}

TEST_F(LoadModel, SaysNoGraphAndNoIrVersion) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("somebody");
  EXPECT_THAT(error_of_bytes(model.SerializeAsString()).message, HasSubstr("no graph"));
  auto nameless = parse_model(model_with_bias);
  nameless.clear_ir_version();
  EXPECT_THAT(error_of_bytes(nameless.SerializeAsString()).message, HasSubstr("IR version"));
}

TEST_F(LoadModel, NamesBothIrVersions) {
  auto model = parse_model(model_with_bias);
  model.set_ir_version(99);
  const Error error = error_of_bytes(model.SerializeAsString());
  EXPECT_EQ(error.kind, ErrorKind::unsupported);
  EXPECT_THAT(error.message, AllOf(HasSubstr("99"), HasSubstr(std::to_string(onnx::Version::IR_VERSION))));
  EXPECT_FALSE(error.hint.empty());
}

TEST_F(LoadModel, RefusesNodesWithoutOpset) {
  auto model = parse_model(model_with_bias);
  model.clear_opset_import();
  EXPECT_THAT(error_of_bytes(model.SerializeAsString()).message, HasSubstr("opset_import"));
}

TEST_F(LoadModel, RefusesEndlessNesting) {
  auto model = parse_model(model_with_bias);
  onnx::GraphProto* graph = model.mutable_graph();
  for (int depth = 0; depth < 60; ++depth) {
    auto* attribute = graph->add_node()->add_attribute();
    attribute->set_type(onnx::AttributeProto::GRAPH);
    graph = attribute->mutable_g();
  }
  EXPECT_THAT(error_of_bytes(model.SerializeAsString()).message, HasSubstr("nest"));
}

TEST_F(LoadModel, StrangeNamesDoNoHarm) {
  auto model = parse_model(model_with_bias);
  model.mutable_graph()->mutable_input(0)->set_name("\x1b[2J\xff\n");
  *model.mutable_graph()->add_input() = model.graph().input(0);
  *model.mutable_graph()->add_initializer() = model.graph().initializer(0);
  const auto loaded = load_model(write("m.onnx", model.SerializeAsString()));
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->facts.inputs.size(), 2U);
  EXPECT_EQ(loaded->facts.inputs[0].find('\x1b'), std::string::npos);
}

TEST_F(LoadModel, SavedModelLoadsAgain) {
  const auto model = parse_model(model_with_bias);
  const auto path = folder_.path() / "saved.onnx";
  ASSERT_TRUE(save_model(model, path));
  EXPECT_EQ(load_model(path)->proto->SerializeAsString(), model.SerializeAsString());
  EXPECT_FALSE(save_model(model, folder_.path() / "no" / "such" / "folder.onnx"));
}

}  // namespace
}  // namespace culprit
