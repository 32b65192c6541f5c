// What is written and printed of orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "record/report_schema.h"
#include "report/layout.h"
#include "report/orders_console.h"
#include "report/orders_json.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

OrdersReport three_results() {
  OrdersReport report;
  report.tool_version = "1.2";
  report.command = {"culprit", "orders", "net.onnx"};
  report.model.model.path = "net.onnx";
  report.model.data.samples = 3;
  report.model.data.source = DataSource::synthesized;
  report.optimizer = "onnx_optimizer";
  report.steps = {"a", "b", "c"};
  report.seed = 4;
  report.orders = 5;
  OrderResult first, smaller, wrong;
  first = {.id = "R1", .orders = 3, .example = {"a", "b", "c"}, .fingerprint = std::string(32, '1'), .nodes = 9};
  first.verdict = Verdict::equivalent;
  first.is_right = true;
  first.same_bits = true;
  smaller = first;
  smaller.id = "R2", smaller.orders = 1, smaller.nodes = 7, smaller.inversions = 2, smaller.same_bits = false;
  smaller.example = {"c", "a", "b"};
  smaller.moved = MovedStep{"c", ""};
  wrong = {.id = "R3", .orders = 1, .example = {"b", "a", "c"}, .inversions = 1};
  wrong.verdict = Verdict::optimizer_crashed;
  wrong.message = "it died of SIGSEGV";
  wrong.is_wrong = true;
  report.tried.results = {first, smaller, wrong};
  report.tried.swaps = {{.before = "a", .after = "b", .tried = 2, .changed = 1, .result = "R1", .swapped = "R3"},
                        {.before = "b", .after = "c", .tried = 1, .changed = 0}};
  report.tried.best = 1;
  report.out = "best.onnx";
  report.verified_on = 3;
  return report;
}

TEST(OrdersJson, TellsResultsSwapsAndTheBest) {
  const std::string text = to_json(three_results());
  EXPECT_TRUE(is_report(text)) << "so that its run folder may be written over";
  const auto root = nlohmann::json::parse(text);
  EXPECT_EQ(root["schema"], "culprit.orders/1");
  EXPECT_EQ(root["best"], "R2");
  EXPECT_EQ(root["results"][0]["same_bits"], true);
  EXPECT_EQ(root["results"][2]["verdict"], "optimizer_crashed");
  EXPECT_TRUE(root["results"][2]["nodes"].is_null()) << "there is no model";
  EXPECT_TRUE(root["results"][2]["fingerprint"].is_null());
  EXPECT_EQ(root["results"][1]["moved"]["step"], "c");
  EXPECT_TRUE(root["results"][1]["moved"]["after"].is_null()) << "it comes first";
  EXPECT_EQ(root["swaps"][0]["swapped"], "R3");
  EXPECT_TRUE(root["swaps"][1]["result"].is_null());
  EXPECT_EQ(root["output"], "best.onnx");
}

TEST(OrdersConsole, TellsWhatIsWrongAndWhatIsBest) {
  const std::string text = to_console(three_results(), {}, "run");
  EXPECT_THAT(text,
              AllOf(HasSubstr("net.onnx  1 of 5 orders is WRONG\n"), HasSubstr("5 orders of 3 passes, 3 results\n"),
                    HasSubstr("R3  optimizer crashed: it died of SIGSEGV\n"),
                    HasSubstr("culprit localize net.onnx --passes b,a,c\n"),
                    HasSubstr("2 pairs of neighbours swapped: 1 changes the result\n"),
                    HasSubstr("a before b: R1; swapped: R3\n"), Not(HasSubstr("b before c")),
                    HasSubstr("\n  R2  the order of --steps, with c moved to the front\n"),
                    HasSubstr("best  R2: 7 nodes, the order of --steps, with c moved to the front\n")));
  EXPECT_THAT(text, HasSubstr("best.onnx was written, and verified on 3 samples\nreport: run/report.json\n"));
  for (const std::string& line : split(text, '\n')) EXPECT_LE(display_width(line), 80) << line;
}

TEST(OrdersConsole, OneResultSaysThatTheOrderDoesNotMatter) {
  OrdersReport report = three_results();
  report.tried.results.resize(1);
  report.tried.swaps.resize(0);
  report.tried.best = 0;
  EXPECT_THAT(to_console(report, {}, "run"),
              AllOf(HasSubstr("the order does not matter"), HasSubstr("best  R1: 9 nodes, the order of --steps\n")));
}

TEST(OrdersConsole, WhatCannotBeJudgedSaysWhy) {
  OrdersReport report = three_results();
  report.model.baseline = {BaselineStatus::weak_data, "off", "its outputs say nothing"};
  report.tried.results.resize(1);
  report.tried.results[0].is_right = false;
  report.tried.best = {};
  report.out = "";
  EXPECT_THAT(to_console(report, {}, "run"), AllOf(HasSubstr("net.onnx  cannot judge\n"),
                                                   HasSubstr("its outputs say nothing"), Not(HasSubstr("best"))));
}

}  // namespace
}  // namespace culprit
