#include "trial/failure_signature.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trial/plain_reason.h"

namespace culprit {
namespace {

TEST(Normalized, NamesPathsAddressesAndNumbersGo) {
  EXPECT_EQ(
      normalized("Got invalid dimensions for input: state for the following indices\n index: 2 Got: 12 Expected: 128"),
      "Got invalid dimensions for input: * for the following indices index: # Got: # Expected: #");
  EXPECT_EQ(normalized("Name:'conv1' failed"), "Name:* failed");
  EXPECT_EQ(normalized("Node (conv1) Op (Conv) [ShapeInferenceError]"), "Node (*) Op (Conv) [ShapeInferenceError]");
  EXPECT_EQ(normalized("/usr/src/a.cc:46 f() at 0x7ffe12 is -3.5e-7"), "* f() at # is #");
  EXPECT_EQ(normalized("onnxoptimizer/passes/fuse.h:69: modify: Assertion `a == 1` failed."),
            normalized("/home/me/onnxoptimizer/passes/fuse.h:72: modify: Assertion `b == 1` failed."));
  EXPECT_EQ(normalized("block/conv1 and a/b.h are no lines"), "block/conv1 and a/b.h are no lines");
  EXPECT_EQ(normalized("of node: \nname: foo OpType: Conv"), "of node: name: * OpType: Conv");
  EXPECT_EQ(normalized("Unresolved value references: W,bias,scale,"), "Unresolved value references: *");
  EXPECT_EQ(normalized("Input fc1.weight is undefined!"), "Input * is undefined!");
  EXPECT_EQ(normalized("Input is undefined"), "Input is undefined");
  EXPECT_EQ(normalized("Conv2 doesn't have float32 [1,2]"), "Conv2 doesn't have float32 [#,#]");
}

TEST(Normalized, APathWithASpaceIsOnePath) {
  for (const std::string path :
       {"/home/me/my models/a.onnx", "/home/me/my big models/a.onnx", "/home/me/models/my a.onnx",
        "/home/me/models/a.onnx", "/tmp/run 1/cases/65bae/logs/call-20072/out/model.onnx"}) {
    EXPECT_EQ(normalized("Load model from " + path + " failed: bad"), "Load model from * failed: bad") << path;
    EXPECT_EQ(normalized("no model: " + path + ": no protobuf"), "no model: * no protobuf") << path;
    EXPECT_EQ(normalized("file '" + path + "' is bad"), "file * is bad") << path;
    EXPECT_EQ(reason_of("[ONNXRuntimeError] : 1 : FAIL : Load model from " + path + " failed:Type Error"),
              "Type Error");
  }
  EXPECT_EQ(normalized("file '/home/o'brien/a.onnx' and 'b'"), "file * and *");
}

TEST(Normalized, APathThatTheRunKnowsIsOnePathWhateverIsInIt) {
  const std::vector<std::string> places{"/home/me/is in my/run", "/home/me/all of the models",
                                        "/home/me/all of the models/a (1), b.onnx"};
  EXPECT_EQ(normalized("cannot write /home/me/is in my/run/out/a.onnx today", places), "cannot write * today");
  EXPECT_EQ(normalized("cannot read /home/me/all of the models/a (1), b.onnx today", places), "cannot read * today");
  EXPECT_EQ(normalized("cannot read /home/me/all of the models/w today", places), "cannot read * today");
}

TEST(Normalized, TheWordsBehindAPathStay) {
  EXPECT_EQ(normalized("/dev/shm is full while writing out/a.onnx"), "* is full while writing out/a.onnx");
  EXPECT_EQ(normalized("/usr/lib/a.so: undefined symbol in b/c.so"), "* undefined symbol in b/c.so");
  EXPECT_EQ(normalized("/usr/src/a.cc:46 void run/it.py"), "* void run/it.py");
  EXPECT_EQ(normalized("/tmp/x could not be written"), "* could not be written");
}

TEST(Normalized, TheSameComplaintAboutOtherPlacesIsTheSame) {
  EXPECT_EQ(normalized("input 'a' of node \"n1\" has rank 4"), normalized("input 'bb' of node \"n22\" has rank 3"));
  EXPECT_NE(normalized("input 'a' has rank 4"), normalized("output 'a' has rank 4"));
}

TEST(Normalized, HostileTextsStayShort) {
  EXPECT_LE(normalized(std::string(100000, 'x')).size(), 200U);
  EXPECT_LE(normalized(std::string(100000, '\'')).size(), 200U);
  EXPECT_EQ(normalized(""), "");
  EXPECT_EQ(normalized("'unclosed"), "'unclosed");
}

TEST(Signature, SaysVerdictCulpritOpsAndError) {
  EXPECT_EQ(signature_of(Verdict::diverged, "fuse", {{"Conv", -1}, {"Mul", -2}, {"Add", 1}}, ""),
            "diverged | fuse | Conv, Mul -> Add | ");
  EXPECT_EQ(signature_of(Verdict::optimizer_crashed, "fuse", {}, "killed by SIGSEGV"),
            "optimizer_crashed | fuse |  | killed by SIGSEGV");
}

TEST(Reason, TheRuntimesNoiseGoes) {
  EXPECT_EQ(
      reason_of(
          "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Non-zero status code returned while running If node. "
          "Name:'If_0' "
          "Status Message: Non-zero status code returned while running Pad node. Name:'p/Pad' Status Message: Pad "
          "reflect: post-pad (64) exceeds maximum allowed (6) for axis 1. Input shape:{1,7}"),
      "Pad reflect: post-pad (64) exceeds maximum allowed (6) for axis 1. Input shape:{1,7}");
  EXPECT_EQ(
      reason_of("[ONNXRuntimeError] : 1 : FAIL : /onnxruntime_src/onnxruntime/core/graph/model_load_utils.h:46 void "
                "onnxruntime::model_load_utils::ValidateOpsetForDomain(const std::string&, int) ONNX Runtime only "
                "guarantees"),
      "ONNX Runtime only guarantees");
  EXPECT_EQ(reason_of("two\nlines\x1b[31m"), "two lines");
  EXPECT_LE(reason_of(std::string(100000, 'x')).size(), 410U);
  std::string words;
  for (int i = 0; i < 200; ++i) words += "word" + std::to_string(i) + " ";
  const std::string reason = reason_of(words);
  EXPECT_TRUE(reason.starts_with("word0 ") && reason.ends_with(" word199")) << reason;
  EXPECT_LE(reason.size(), 410U);
}

TEST(Reason, LimitsAreSaid) {
  EXPECT_EQ(failure_text({Ending::timed_out, "", ""}, {.cpu_seconds = 30}), "over its limit of 30.0 s");
  EXPECT_EQ(failure_text({Ending::crashed, "killed by SIGSEGV", ""}, {}), "killed by SIGSEGV");
}

}  // namespace
}  // namespace culprit
