#include "model/summed_operands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Axes = std::vector<std::int64_t>;

Axes axes(const std::string& nodes, int i, const Axes& known = {}) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[a,b] x, float[b,c] w, int64[k] n)
      => (float[d,e] y) { )" + nodes +
                                 " }");
  const auto how = how_summed(model.graph().node(0), i,
                              [&](const std::string&) { return known.empty() ? std::nullopt : std::optional(known); });
  return how ? how->summed_axes : Axes();
}

TEST(HowSummed, AlongTheAxesThatAProductAddsUp) {
  EXPECT_THAT(axes("y = MatMul(x, w)", 0), ElementsAre(-1));
  EXPECT_THAT(axes("y = MatMul(x, w)", 1), ElementsAre(-2));
  EXPECT_THAT(axes("y = Gemm(x, w)", 0), ElementsAre(1));
  EXPECT_THAT(axes("y = Gemm(x, w)", 1), ElementsAre(0));
  EXPECT_THAT(axes("y = Gemm<transA = 1>(x, w)", 0), ElementsAre(0));
  EXPECT_THAT(axes("y = Gemm<transB = 1>(x, w)", 1), ElementsAre(1));
  EXPECT_THAT(axes("y = Gemm(x, w, x)", 2), IsEmpty()) << "a bias is one term";
  EXPECT_EQ(axes("y = Conv(x, w)", 1).front(), 1) << "channels, and the window";
  EXPECT_THAT(axes("y = ConvTranspose(x, w)", 1), ElementsAre(0));
}

TEST(HowSummed, AlongTheAxesOfAReduction) {
  EXPECT_THAT(axes("y = ReduceMean<axes = [1]>(x)", 0), ElementsAre(1));
  EXPECT_THAT(axes("y = ReduceSum(x, n)", 0, {-1}), ElementsAre(-1));
  EXPECT_EQ(axes("y = ReduceSum(x)", 0).front(), 0) << "all";
  EXPECT_EQ(axes("y = GlobalAveragePool(x)", 0).front(), 2);
  EXPECT_THAT(axes("y = Softmax(x)", 0), IsEmpty()) << "its terms are not those of its input";
  EXPECT_THAT(axes("y = Add(x, w)", 0), IsEmpty());
}

}  // namespace
}  // namespace culprit
