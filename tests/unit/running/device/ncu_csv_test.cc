#include "device/ncu_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/random.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const std::string names =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",)"
    R"("dram__throughput.avg.pct_of_peak_sustained_elapsed","gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",)"
    R"("gpu__time_duration.sum","launch__block_size","launch__grid_size","sm__throughput.avg.pct_of_peak_sustained_elapsed")"
    "\n";
const std::string units = R"("","","","","","","","","","","","%","%","nsecond","","","%")"
                          "\n";

struct Launch {
  std::string name, dram, memory, time, block, grid, sm;
};

std::string line_of(const Launch& launch) {
  const std::string quote = "\"";
  std::string line = R"("0","4711","python3.11","127.0.0.1",")" + launch.name;
  line += R"x(","1","7","(256, 1, 1)","(900, 1, 1)","0","8.6")x";
  for (const auto& field : {launch.dram, launch.memory, launch.time, launch.block, launch.grid, launch.sm})
    line += "," + quote + field + quote;
  return line + "\n";
}

const Launch gemm = {"ampere_sgemm_128x128_nn", "40.5", "70.16", "1,200,000", "256", "900", "93.00"};
const Launch small = {"void gemmk1_kernel<int, float, (int)256, (int)5>(cublasGemmk1Params<T2>)",
                      "n/a",
                      "1.63",
                      "2,048.5",
                      "256",
                      "32",
                      "1.80"};

std::string complaint(const std::string& text) {
  const auto kernels = read_ncu_csv(text);
  EXPECT_FALSE(kernels) << text;
  return kernels ? "" : kernels.error().text();
}

TEST(NcuCsv, KernelsAreReadWithTheirUnits) {
  const auto kernels = read_ncu_csv(names + units + line_of(small) + line_of(gemm));
  ASSERT_TRUE(kernels) << kernels.error().text();
  ASSERT_THAT(*kernels, SizeIs(2));
  const KernelRecord& first = kernels->at(0);  // the one that took longer
  EXPECT_EQ(first.name, gemm.name);
  EXPECT_EQ(first.calls, 1);
  EXPECT_EQ(first.block_size, 256);
  EXPECT_EQ(first.grid_size, 900);
  EXPECT_EQ(first.sm_percent, 93);
  EXPECT_EQ(first.memory_percent, 70.16);
  EXPECT_DOUBLE_EQ(first.seconds, 1.2e-3);
  EXPECT_EQ(kernels->at(1).name, small.name);
  EXPECT_DOUBLE_EQ(kernels->at(1).seconds, 2048.5e-9);
}

TEST(NcuCsv, CallsOfOneKernelAreSummedUp) {
  Launch longer = gemm;
  longer.time = "3,600,000";
  longer.sm = "53";
  longer.grid = "100";
  longer.memory = "nan";
  longer.dram = "10.16";
  const auto kernels = read_ncu_csv(names + units + line_of(gemm) + line_of(longer));
  ASSERT_TRUE(kernels);
  ASSERT_THAT(*kernels, SizeIs(1));
  EXPECT_EQ(kernels->at(0).calls, 2);
  EXPECT_EQ(kernels->at(0).grid_size, 500);
  EXPECT_DOUBLE_EQ(kernels->at(0).seconds, 4.8e-3);
  EXPECT_DOUBLE_EQ(kernels->at(0).sm_percent, (93 + 3 * 53) / 4.0);            // by time
  EXPECT_DOUBLE_EQ(kernels->at(0).memory_percent, (70.16 + 3 * 10.16) / 4.0);  // that of dram where there is none
}

TEST(NcuCsv, UnitsOfTimeAreKept) {
  for (const auto& [unit, seconds] : std::vector<std::pair<std::string, double>>{
           {"nsecond", 1e-9}, {"ns", 1e-9}, {"usecond", 1e-6}, {"us", 1e-6}, {"msecond", 1e-3}, {"second", 1}}) {
    std::string line = units;
    line.replace(line.find("nsecond"), 7, unit);
    Launch launch = gemm;
    launch.time = "7";
    const auto kernels = read_ncu_csv(names + line + line_of(launch));
    ASSERT_TRUE(kernels) << unit;
    EXPECT_DOUBLE_EQ(kernels->at(0).seconds, 7 * seconds) << unit;
  }
  std::string strange = units;
  strange.replace(strange.find("nsecond"), 7, "fortnight");
  EXPECT_THAT(complaint(names + strange + line_of(gemm)), HasSubstr("'fortnight'"));
  EXPECT_DOUBLE_EQ(read_ncu_csv(names + line_of(gemm))->at(0).seconds, 1.2e-3);  // no line of units: as asked for
}

TEST(NcuCsv, WhatStandsBeforeAndBetweenIsPassedOver) {
  const std::string before =
      "loading \"ID\",3\n==PROF== Connected to process 4711 (/usr/bin/python3.11)\n"
      "==WARNING== Found outstanding GPU clock reset, trying to revert...Success.\n"
      "==PROF== Profiling \"ampere_sgemm_128x128_nn\" - 0: 0%....50%....100% - 5 passes\n";
  const auto kernels = read_ncu_csv(before + names + "==PROF== Profiling \"x\" - 1\n" + units + line_of(gemm) +
                                    "\n\n==PROF== Disconnected from process 4711\n\n");
  ASSERT_TRUE(kernels) << kernels.error().text();
  EXPECT_THAT(*kernels, SizeIs(1));
}

TEST(NcuCsv, QuotesInNamesAreKeptAndControlCharactersAreNot) {
  Launch odd = gemm;
  odd.name = R"(kernel<""a"", b>)"
             "\033[2J";
  const auto kernels = read_ncu_csv(names + units + line_of(odd));
  ASSERT_TRUE(kernels);
  EXPECT_THAT(kernels->at(0).name, AllOf(HasSubstr(R"(kernel<"a", b>)"), Not(HasSubstr("\033"))));
  odd.name = std::string(5000, 'x');
  EXPECT_LT(read_ncu_csv(names + units + line_of(odd))->at(0).name.size(), 400U);
}

TEST(NcuCsv, WhatIsNoNumberIsLeftOut) {
  for (const char* word : {"n/a", "nan", "-nan", "inf", "", "-3", "1.2.3", "(!) n/a", "1e999", "0x10"}) {
    const Launch none = {"k", word, word, word, word, word, word};
    const auto kernels = read_ncu_csv(names + units + line_of(none) + line_of(none));
    ASSERT_TRUE(kernels) << word;
    ASSERT_THAT(*kernels, SizeIs(1));
    EXPECT_EQ(kernels->at(0), (KernelRecord{"k", 2, 0, 0, 0, 0, 0})) << word;
  }
}

TEST(NcuCsv, WithoutALineOfNamesThereIsNoKernel) {
  for (const char* text : {"", "\n", "==WARNING== No kernels were profiled.\n", "\"ID\",\"Metric Name\"\n", "\"ID\""})
    EXPECT_THAT(complaint(text), HasSubstr("ncu saw no kernel")) << text;
  EXPECT_THAT(read_ncu_csv(names + units).value(), IsEmpty());
}

TEST(NcuCsv, ACutOffFileIsSaidWithItsLine) {
  const std::string whole = names + units + line_of(gemm) + line_of(small);
  const std::size_t until = (names + units + line_of(gemm)).size();
  for (std::size_t size = until + 1; size < whole.size(); ++size)
    ASSERT_THAT(complaint(whole.substr(0, size)), HasSubstr("line 4")) << size;
  EXPECT_TRUE(read_ncu_csv(whole));
}

TEST(NcuCsv, AnotherNumberOfColumnsIsSaidWithItsLine) {
  EXPECT_THAT(complaint(names + units + "\"1\",\"2\"\n" + line_of(gemm)),
              AllOf(HasSubstr("line 3 of its table has 2 columns"), HasSubstr("not 17")));
  EXPECT_THAT(complaint("\"ID\",\"Kernel Name\"\n\"1\",\"k\"\n"), HasSubstr("no column gpu__time_duration.sum"));
}

TEST(NcuCsv, NoBytesBreakIt) {
  const std::string whole = "==PROF== x\n" + names + units + line_of(gemm) + line_of(small);
  Random random(17);
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (std::int64_t i = random.between(1, 8); i > 0; --i) {
      const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
      if (random.next() % 4 == 0)
        text.erase(at, static_cast<std::size_t>(random.between(1, 40)));
      else
        text[at] = "\"\n,\r\0 =9"[random.next() % 8];
      if (text.empty()) text = "x";
    }
    const auto kernels = read_ncu_csv(text);
    if (!kernels) continue;
    for (const KernelRecord& kernel : *kernels) {
      ASSERT_TRUE(std::isfinite(kernel.seconds) && std::isfinite(kernel.sm_percent)) << text;
      ASSERT_GE(kernel.seconds, 0);
      ASSERT_THAT(kernel.name, Not(HasSubstr("\n")));
    }
  }
}

}  // namespace
}  // namespace culprit
