#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Orders of a, b and c in place of the default plan.
class TriedOrdersOfModel : public Bench {
 protected:
  TriedOrdersOfModel() {
    options.orders = {{"a", "b", "c"}, {"b", "a", "c"}, {"a", "c", "b"}, {"c", "b", "a"}};
    executor.recipes["a,b,c"] = executor.recipes["a,c,b"] = changes("one");
    executor.recipes["b,a,c"] = changes("other");
    executor.recipes["c,b,a"] = breaks("wrong");
  }

  Result<Delivery> deliver_number(std::optional<std::size_t> number) {
    const ChooseVariant choose = [number](const ModelReport&) { return number; };
    const Deliver copy = [this](const ModelReport&, const fs::path& file) -> Result<fs::path> {
      delivered_.push_back(file);
      executor.give("/out/best.onnx", file_is_);
      return fs::path("/out/best.onnx");
    };
    return check_and_deliver_chosen(model, proposals, options, {executor, optimizer, folder(), progress}, choose, copy);
  }

  /// Runs of a variant in a process that was used before: confirmations and controls are others.
  std::size_t runs_of_variants() {
    return static_cast<std::size_t>(std::ranges::count_if(
        executor.ran, [&](const RunJob& job) { return job.model != model.path && !job.fresh_process; }));
  }

  std::vector<fs::path> delivered_;
  Behaviour file_is_ = changes("other");
};

TEST_F(TriedOrdersOfModel, AreThePlanAndEachResultRunsOnce) {
  const ModelReport report = check();
  ASSERT_THAT(report.variants, SizeIs(4));
  EXPECT_TRUE(report.variants[0].is_bundle);
  EXPECT_FALSE(report.variants[1].is_bundle);
  EXPECT_EQ(report.variants[2].same_variant, report.variants[0].id);
  EXPECT_EQ(report.variants[0].verdict, Verdict::equivalent);
  EXPECT_EQ(report.variants[3].verdict, Verdict::diverged);
  EXPECT_FALSE(report.safe_recipe) << "nobody asked for it";
  EXPECT_EQ(runs_of_variants(), 3U) << "four orders, and three results; the round trip is the model itself";
}

TEST_F(TriedOrdersOfModel, TheirOutputsAreToldApartBitByBit) {
  const ModelReport report = check();
  const std::string& first = report.variants[0].output_bits;
  EXPECT_THAT(first, SizeIs(32));
  EXPECT_EQ(report.variants[1].output_bits, first) << "another model with the same outputs";
  EXPECT_EQ(report.variants[2].output_bits, first);
  EXPECT_NE(report.variants[3].output_bits, first);
  options.orders.clear();
  EXPECT_EQ(variant(check(), "a,b,c").output_bits, "") << "nobody asked for it";
}

TEST_F(TriedOrdersOfModel, WhatIsUnchangedGivesTheBitsOfTheModel) {
  executor.recipes["b,a,c"] = {};
  const ModelReport report = check();
  EXPECT_EQ(report.variants[1].verdict, Verdict::unchanged);
  EXPECT_EQ(report.variants[1].output_bits, report.variants[0].output_bits);
}

TEST_F(TriedOrdersOfModel, TheOneThatIsChosenIsVerified) {
  const auto delivery = deliver_number(1);
  ASSERT_TRUE(delivery) << delivery.error().text();
  EXPECT_TRUE(delivery->is_delivered);
  EXPECT_TRUE(delivery->verified) << delivery->message;
  EXPECT_EQ(delivery->samples, 3);
  EXPECT_THAT(delivered_, ElementsAre(Not(fs::path())));
}

TEST_F(TriedOrdersOfModel, AFileThatIsWrongOnTheDiskIsNotVerified) {
  file_is_ = breaks("spoilt");
  const auto delivery = deliver_number(1);
  ASSERT_TRUE(delivery);
  EXPECT_TRUE(delivery->is_delivered);
  EXPECT_FALSE(delivery->verified);
  EXPECT_THAT(delivery->message, HasSubstr("wrong at off"));
}

TEST_F(TriedOrdersOfModel, NoneNeedBeChosen) {
  const auto delivery = deliver_number(std::nullopt);
  ASSERT_TRUE(delivery);
  EXPECT_FALSE(delivery->is_delivered);
  EXPECT_THAT(delivered_, IsEmpty());
}

TEST_F(TriedOrdersOfModel, AnUnknownStepIsUsage) {
  options.orders = {{"a", "bb"}};
  const auto report = try_check();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::usage);
  EXPECT_THAT(report.error().message, HasSubstr("--steps"));
}

}  // namespace
}  // namespace culprit
