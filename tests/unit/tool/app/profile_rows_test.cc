#include "app/profile_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/profile_providers.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names(const std::vector<ProfiledRow>& rows) {
  std::vector<std::string> names;
  for (const ProfiledRow& row : rows) names.push_back(row.name);
  return names;
}

ProfiledThings two_providers() {
  ProfiledThings things;
  things.models = {"m.onnx"};
  things.levels = {Level::off, Level::all};
  things.libraries = {"lib.so"};
  things.library_names = {"1.31.1"};
  things.providers = {"CPU", "CUDA"};
  return things;
}

TEST(ProfileRows, ProvidersAreToldApart) {
  const auto rows = rows_of(two_providers(), {});
  EXPECT_THAT(names(rows), ElementsAre("CPU off", "CPU all", "CUDA off", "CUDA all"));
  EXPECT_EQ(rows[1].session.provider, "CPU");
  EXPECT_EQ(rows[2].session.provider, "CUDA");
}

TEST(ProfileRows, AWholeLevelOfTheRuntimeIsCalledByItOnce) {
  ProfiledThings things = two_providers();
  things.providers = {"CPU"};
  things.recipes.resize(2);
  things.recipes[0].level = things.recipes[1].level = "all";
  things.recipes[1].disabled = {"Step"};
  things.recipe_names = {"level all", "Other"};
  EXPECT_THAT(names(rows_of(things, {})), ElementsAre("off", "all", "level all", "Other all"));
}

TEST(ProfileRows, ANameThatNoRowHasIsAnsweredWithTheClosest) {
  const auto rows = rows_of(two_providers(), {});
  EXPECT_EQ(row_named(rows, "CUDA all").value(), 3U);
  EXPECT_THAT(row_named(rows, "CUDA al").error().text(),
              AllOf(HasSubstr("did you mean 'CUDA all'?"), HasSubstr("the rows are 'CPU off'")));
  EXPECT_THAT(row_named(rows, "something else").error().message, testing::Not(HasSubstr("did you mean")));
}

TEST(ProfileRows, OneProviderNeedsNoName) {
  ProfiledThings things = two_providers();
  things.providers = {"CUDA"};
  const auto rows = rows_of(things, {});
  EXPECT_THAT(names(rows), ElementsAre("off", "all"));
  EXPECT_EQ(rows[0].session.provider, "CUDA");
}

const std::vector<std::string> there = {"CUDA", "Azure", "CPU"};

TEST(ProfileProviders, AreNamedInAnyCase) {
  EXPECT_THAT(providers_named({"cuda,CPU"}, there, "it").value(), ElementsAre("CUDA", "CPU"));
  EXPECT_THAT(providers_named({"cuda,CPU", "Cuda"}, there, "it").error().message, HasSubstr("'CUDA' is named twice"));
  EXPECT_THAT(providers_named({}, there, "it").value(), ElementsAre("CPU"));
}

TEST(ProfileProviders, WhatIsNotThereIsSaidWithWhatIs) {
  const auto found = providers_named({"rocm"}, there, "ONNX Runtime 1.31.1");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::usage);
  EXPECT_THAT(found.error().message,
              AllOf(HasSubstr("--provider rocm: ONNX Runtime 1.31.1"), HasSubstr("it has cuda, azure, cpu")));
}

}  // namespace
}  // namespace culprit
