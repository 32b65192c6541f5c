#include "cli/commands/orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refused_orders(const std::vector<std::string>& words) {
  const auto command = parse_command_line(words);
  EXPECT_FALSE(command);
  return command ? "" : command.error().text();
}

TEST(OrdersCommand, TakesStepsAndHowMany) {
  const auto command = parse_command_line({"orders", "m.onnx", "--steps", "b,a", "--steps", "c", "--count", "50",
                                           "--seed", "4", "-o", "best.onnx", "--accept-weak", "y"});
  ASSERT_TRUE(command) << command.error().text();
  const auto& orders = std::get<OrdersArguments>(*command);
  EXPECT_THAT(orders.request.check.models, ElementsAre("m.onnx"));
  EXPECT_THAT(orders.request.check.optimizer.recipe, ElementsAre("b", "a", "c"));
  EXPECT_EQ(orders.request.count, 50U);
  EXPECT_EQ(orders.request.check.data.samples.seed, 4U);
  EXPECT_EQ(orders.request.out, "best.onnx");
  EXPECT_THAT(orders.request.accept_weak, ElementsAre("y"));
  EXPECT_EQ(orders.request.check.quoted.command.size(), 15U);
  EXPECT_EQ(std::get<OrdersArguments>(*parse_command_line({"orders", "m.onnx"})).request.count, 0U);
  EXPECT_THAT(refused_orders({"orders"}), HasSubstr("MODEL"));
  EXPECT_THAT(refused_orders({"orders", "m.onnx", "-o", "-"}), HasSubstr("not printed"));
  EXPECT_THAT(refused_orders({"orders", "m.onnx", "--count", "0"}), HasSubstr("--count 0"));
  EXPECT_THAT(refused_orders({"orders", "m.onnx", "--passes", "a"}), HasSubstr("has no option '--passes'"));
}

}  // namespace
}  // namespace culprit
