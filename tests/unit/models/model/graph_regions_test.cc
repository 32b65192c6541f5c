#include "model/graph_regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Regions : public testing::Test {
 protected:
  std::vector<bool> cut(const std::vector<std::string>& names) {
    std::vector<bool> is_cut(index.values.size(), false);
    for (const std::string& name : names) is_cut[static_cast<std::size_t>(index.find(name))] = true;
    return is_cut;
  }
  std::vector<std::string> names(const std::vector<int>& values) {
    std::vector<std::string> found;
    for (const int value : values) found.emplace_back(index.values[static_cast<std::size_t>(value)].name);
    return found;
  }
  std::vector<std::string> ops(const std::vector<int>& nodes) {
    std::vector<std::string> found;
    for (const int node : nodes) found.push_back(index.nodes[static_cast<std::size_t>(node)].proto->op_type());
    return found;
  }

  onnx::ModelProto model =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> )"
                  "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}>"
                  "{ a = Relu(x)  b = Abs(a)  k = Sqrt(w)  c = Mul(b, k)  d = Add(c, a)  e = Sin(d)  y = Neg(d) }");
  GraphIndex index = index_of(model);
};

TEST_F(Regions, ReachBackToValuesThatAreCutAndLeaveConstantsOut) {
  const Region region = region_before(index, {index.find("d")}, cut({"a", "d"}));
  EXPECT_THAT(ops(region.nodes), ElementsAre("Add", "Mul", "Abs")) << "the maker first";
  EXPECT_THAT(names(region.borders), ElementsAre("a"));
}

TEST_F(Regions, ReachForwardToTheNextCutValues) {
  EXPECT_THAT(names(cut_values_behind(index, index.find("a"), cut({"a", "d", "y"}), 10)), UnorderedElementsAre("d"));
  EXPECT_THAT(names(cut_values_behind(index, index.find("d"), cut({"e", "y"}), 10)), UnorderedElementsAre("e", "y"));
  EXPECT_THAT(names(cut_values_behind(index, index.find("a"), cut({"y"}), 2)), IsEmpty()) << "too far";
}

}  // namespace
}  // namespace culprit
