// Floats off a jump and shapes that hang on values: what rounding alone does to them is found by the draws of ties.
#include <gmock/gmock.h>

#include <cmath>

#include "check/ties.h"
#include "computer.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class JumpBench : public ComputerBench {
 protected:
  /// What is said of a variant with these outputs y.
  Judgement judged(const std::vector<Tensor>& outputs) {
    RunOutcome outcome;
    const fs::path variant = folder() / ("variant" + std::to_string(variants_++));
    fs::create_directories(variant);
    for (const Tensor& output : outputs) {
      outcome.outputs.push_back(variant / (std::to_string(outcome.outputs.size()) + ".pack"));
      EXPECT_TRUE(write_pack(outcome.outputs.back(), std::vector<NamedTensor>{{"y", output}}));
    }
    Judgement judgement;
    ties.judge(outcome, binding, Contract::equivalent, [&](Judgement made) { judgement = std::move(made); });
    EXPECT_TRUE(desk.drain());
    return judgement;
  }

  Binding binding{{}, {0}, true};
  LazyFloor floor{desk, basis};
  Ties ties{desk, basis, floor};

 private:
  int variants_ = 0;
};

/// y = Round(w * x): of x = 0.5 (and w = 1) it is decided by rounding.
class JumpsOfFloats : public JumpBench {
 protected:
  JumpsOfFloats() {
    takes("g (float[4] x) => (float[4] y) <float[4] w = {1, 1, 1, 1}> { a = Mul(x, w)  y = Round(a) }");
    computer.computes = [](const Floats& w, const Floats& x) {
      Floats y;
      for (std::size_t i = 0; i < x.size(); ++i) y.push_back(std::nearbyint(w[i] * x[i]));
      return std::vector<NamedTensor>{{"y", vector_of(y)}};
    };
  }
};

TEST_F(JumpsOfFloats, a_level_on_the_edge_is_a_tie) {
  feed({{0.5F, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  EXPECT_EQ(judgement.measurements.at("y").ties, 1);
  EXPECT_TRUE(basis.floors.outputs.at("y").stepped);
}

TEST_F(JumpsOfFloats, do_not_raise_the_floor_of_all) {
  feed({{0.5F, 3, 7, 9}});
  judged({vector_of({1, 3, 7, 9})});
  EXPECT_LT(basis.floors.outputs.at("y").abs, 1e-4);
  EXPECT_THAT(floor.warnings(), IsEmpty());
}

TEST_F(JumpsOfFloats, a_level_where_nothing_is_on_the_edge_has_diverged) {
  feed({{0.5F, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 4, 8, 10})});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_EQ(judgement.measurements.at("y").ties, 1);
  EXPECT_EQ(judgement.measurements.at("y").beyond_tolerance, 3);
}

/// y holds the elements of w * x that are above 1.
class JumpsOfShapes : public JumpBench {
 protected:
  JumpsOfShapes() {
    takes("g (float[4] x) => (float[n] y) <float[4] w = {1, 1, 1, 1}> { y = Mul(x, w) }");
    computer.computes = [](const Floats& w, const Floats& x) {
      Floats y;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (w[i] * x[i] > 1) y.push_back(std::round(x[i]));
      return std::vector<NamedTensor>{{"y", vector_of(y)}};
    };
  }
};

TEST_F(JumpsOfShapes, are_no_fault_where_draws_change_the_shape_too) {
  feed({{1, 3, 7, 9}, {0, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9}), vector_of({3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  EXPECT_THAT(judgement.message, HasSubstr("shape [3] resized to [4], as rounding alone does"));
}

TEST_F(JumpsOfShapes, are_a_fault_where_no_draw_changes_the_shape) {
  feed({{0, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_THAT(judgement.message, HasSubstr("shape [3] became [4]"));
}

TEST_F(JumpsOfShapes, are_a_fault_where_the_size_is_much_further_off) {
  feed({{1, 3, 7, 9}});
  EXPECT_EQ(judged({vector_of({1, 2, 3, 4, 5, 6, 7, 8})}).verdict, Verdict::diverged) << "5 more, draws make it 1";
}

TEST_F(JumpsOfShapes, are_inconclusive_where_no_sample_could_be_compared) {
  feed({{1, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::inconclusive);
  EXPECT_THAT(judgement.message, HasSubstr("nothing of it could be compared on any sample"));
}

TEST_F(JumpsOfShapes, do_not_excuse_values_on_other_samples) {
  feed({{1, 3, 7, 9}, {0, 3, 7, 9}});
  EXPECT_EQ(judged({vector_of({1, 3, 7, 9}), vector_of({4, 7, 9})}).verdict, Verdict::diverged);
}

TEST_F(JumpsOfShapes, another_rank_is_never_excused) {
  feed({{1, 3, 7, 9}});
  const Tensor matrix = Tensor::of<float>({1, 3}, Floats{3, 7, 9});
  EXPECT_EQ(judged({matrix}).verdict, Verdict::diverged);
}

}  // namespace
}  // namespace culprit
