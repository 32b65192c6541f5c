#include "integration/corpus_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::testing {
namespace {

void expect_rewrites(const nlohmann::json& fault, const CorpusCase& expected) {
  std::vector<std::string> rewrites, pieces;
  for (const auto& rewrite : fault["rewrites"]) {
    const std::string output = rewrite["output"];
    rewrites.push_back(rewrite["pass"].get<std::string>() + (output.empty() ? "" : " " + output));
    EXPECT_EQ(rewrite["confirmed"], "2/2") << rewrite;
    EXPECT_THAT(rewrite["pieces_message"].get<std::string>(),
                ::testing::AnyOf("", ::testing::HasSubstr("it changes the model's inputs")));
    for (const auto& piece : rewrite["bad_pieces"]) {
      pieces.push_back(piece["output"]);
      EXPECT_EQ(piece["confirmed"], "2/2") << piece;
    }
  }
  EXPECT_EQ(rewrites, expected.rewrites) << fault;
  EXPECT_EQ(pieces, expected.pieces) << fault;
  const std::string message = fault["rewrites_message"];
  if (expected.predicate.empty()) {
    EXPECT_EQ(message, "");
  } else {
    EXPECT_THAT(message, ::testing::HasSubstr("is asked about '" + expected.predicate + "'"));
  }
}

}  // namespace

void expect_fault(const nlohmann::json& fault, const CorpusCase& expected) {
  EXPECT_EQ(fault["culprits"].get<std::vector<std::string>>(), expected.culprits) << "in this order";
  EXPECT_EQ(fault["verdict"], expected.deployed.empty() ? expected.verdict : expected.deployed) << fault;
  EXPECT_EQ(fault["attribution"], expected.attribution) << fault;
  expect_rewrites(fault, expected);
}

}  // namespace culprit::testing
