#include "judge/shared_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "judge/judge.h"
#include "tensor/tensor.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

using Doubles = std::vector<double>;
using Error = std::function<double(double r, std::size_t i)>;

const std::vector<DType> float_types = {DType::f64, DType::f32, DType::f16, DType::bf16};

/// An output of that type, what draws make of it, and what a variant does.
class Output {
 public:
  explicit Output(DType type, Doubles values, Shape shape = {}) : type_(type), shape_(std::move(shape)) {
    if (shape_.empty()) shape_ = {static_cast<std::int64_t>(values.size())};
    tensor_ = as_typed(values);
    for (std::int64_t i = 0; i < tensor_.count(); ++i) values_.push_back(tensor_.number(i));  // rounded to the type
  }

  /// So many draws, each of which moves every element by that.
  void draw(int draws, const Error& by) {
    for (int i = 0; i < draws; ++i) add_draw(drawn_, tensor_, with(by), 1);
  }
  /// Each element goes up or down by so much of its value.
  void draw_each(int draws, double by) {
    draw(draws, [this, by](double r, std::size_t) { return random_.uniform() < 0.5 ? by * r : -by * r; });
  }

  [[nodiscard]] Measurement off_by(const Error& by, bool forgives = false) const {
    const Explained explained = explain(tensor_, drawn_);
    return measure(tensor_, with(by), {}, {.explained = &explained, .forgives = forgives});
  }
  /// Elements that are off by up to that share of their values, either way.
  [[nodiscard]] Measurement off_by_chance(double by) {
    return off_by([this, by](double r, std::size_t) { return by * r * (2 * random_.uniform() - 1); });
  }
  [[nodiscard]] double eps() const { return epsilon_of(type_); }

 private:
  [[nodiscard]] Tensor as_typed(const Doubles& values) const {
    return cast(Tensor::of<double>(shape_, values), type_).value();
  }
  [[nodiscard]] Tensor with(const Error& by) const {
    Doubles values = values_;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += by(values_[i], i);
    return as_typed(values);
  }

  DType type_;
  Shape shape_;
  Doubles values_;
  Tensor tensor_;
  Drawn drawn_;
  Random random_{7};
};

/// Numbers of about that size, of either sign.
Doubles of_either_sign(std::size_t count, double size = 1) {
  Random random(3);
  Doubles values(count);
  for (double& value : values) value = size * (0.75 + 0.5 * random.uniform()) * (random.uniform() < 0.5 ? -1 : 1);
  return values;
}

TEST(SharedErrors, OfOneRatioAreNoRounding) {
  for (const DType type : float_types) {
    Output output(type, of_either_sign(1000));
    output.draw_each(27, output.eps());
    const Measurement m = output.off_by([&](double r, std::size_t) { return 6 * output.eps() * r; });
    EXPECT_EQ(verdict_of(m), Verdict::deviates) << name_of(type);
    EXPECT_EQ(m.shared.kind, SharedError::Kind::ratio);
    EXPECT_NEAR(m.shared.off / output.eps(), 6, 0.5);
    EXPECT_GT(m.shared.off, m.shared.explained);
    EXPECT_GT(m.beyond_floor, 950);
    EXPECT_EQ(m.beyond_floor, m.shared.elements);
    EXPECT_EQ(m.beyond_tolerance, 0);
    EXPECT_GT(m.times, 1);
    EXPECT_LE(m.worst, m.max_abs);
    EXPECT_NEAR(m.worst / m.floor, m.times, 1e-9 * m.times);
    EXPECT_NE(m.note.find("of their value; expected from rounding alone"), std::string::npos) << m.note;
  }
}

TEST(SharedErrors, ToOneSideAreNoRounding) {
  for (const DType type : float_types) {
    Output output(type, of_either_sign(1000));
    output.draw_each(27, output.eps());
    const Measurement m = output.off_by([&](double, std::size_t) { return -5 * output.eps(); });
    EXPECT_EQ(verdict_of(m), Verdict::deviates) << name_of(type);
    EXPECT_EQ(m.shared.kind, SharedError::Kind::offset);
    EXPECT_NEAR(m.shared.off / output.eps(), 5, 0.5);
    EXPECT_NE(m.note.find("off to one side"), std::string::npos) << m.note;
  }
}

TEST(SharedErrors, OfOneChannelAreSeenInIt) {
  Output output(DType::f32, of_either_sign(std::size_t{2} * 16 * 100), {2, 16, 10, 10});
  output.draw_each(27, output.eps());
  const auto channel = [](std::size_t i) { return i / 100 % 16; };
  const Measurement m =
      output.off_by([&](double r, std::size_t i) { return channel(i) == 3 ? 6 * output.eps() * r : 0; });
  EXPECT_EQ(verdict_of(m), Verdict::deviates);
  EXPECT_EQ(m.shared.elements, 200);
  const Measurement last =
      output.off_by([&](double r, std::size_t i) { return i % 10 == 3 ? 6 * output.eps() * r : 0; });
  EXPECT_EQ(last.shared.elements, 320) << "along the last axis";
}

TEST(SharedErrors, BesideZerosAreSeen) {
  Doubles values = of_either_sign(1000);
  for (double& value : values) value = std::max(value, 0.0);
  Output output(DType::f16, values);
  output.draw_each(27, output.eps());
  EXPECT_EQ(verdict_of(output.off_by([&](double r, std::size_t) { return 6 * output.eps() * r; })), Verdict::deviates);
}

TEST(SharedErrors, BeyondTheToleranceDiverge) {
  Output output(DType::f32, of_either_sign(1000));
  const auto off = [](double r, std::size_t) { return 0.03 * r; };
  output.draw_each(9, 0.01);
  EXPECT_EQ(verdict_of(output.off_by(off, true)), Verdict::equivalent);
  EXPECT_EQ(output.off_by(off, true).undecided, 27) << "it would be a fault";
  output.draw_each(18, 0.01);
  const Measurement m = output.off_by(off, true);
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
  EXPECT_GT(m.beyond_tolerance, 900);
  EXPECT_EQ(m.excused, 0);
}

TEST(SharedErrors, ThatAreIndependentAreRounding) {
  for (const DType type : float_types) {
    Output output(type, of_either_sign(1000));
    output.draw_each(27, output.eps());
    EXPECT_EQ(verdict_of(output.off_by_chance(10 * output.eps())), Verdict::equivalent) << name_of(type);
  }
}

TEST(SharedErrors, OfAFewUnitsAreRounding) {
  for (const DType type : float_types) {
    Output output(type, of_either_sign(1000));
    output.draw_each(27, output.eps());
    const Measurement m = output.off_by([&](double r, std::size_t) { return 1.5 * output.eps() * r; });
    EXPECT_EQ(verdict_of(m), Verdict::equivalent) << "as a constant that was rounded: " << name_of(type);
  }
}

TEST(SharedErrors, AsLargeAsDrawsMakeThemAreRounding) {
  Output output(DType::f32, of_either_sign(1000));
  double sign = 1;
  for (int i = 0; i < 27; ++i) {  // a weight that is one number moves all alike
    sign = -sign;
    output.draw(1, [&](double r, std::size_t) { return sign * 2 * output.eps() * r; });
  }
  EXPECT_EQ(verdict_of(output.off_by([&](double r, std::size_t) { return 7 * output.eps() * r; })),
            Verdict::equivalent);
}

TEST(SharedErrors, OfFewElementsAreRounding) {
  Output output(DType::f32, of_either_sign(60));
  output.draw_each(27, output.eps());
  EXPECT_EQ(verdict_of(output.off_by([&](double r, std::size_t) { return 6 * output.eps() * r; })),
            Verdict::equivalent);
}

TEST(SharedErrors, OfFewValuesAreOneErrorManyTimes) {
  Doubles values;
  for (std::size_t i = 0; i < 1000; ++i) values.push_back(1 + 0.01 * static_cast<double>(i % 15));
  Output output(DType::f32, values);
  output.draw_each(27, output.eps());
  EXPECT_EQ(verdict_of(output.off_by([&](double r, std::size_t) { return 6 * output.eps() * r; })),
            Verdict::equivalent);
}

TEST(SharedErrors, AreNotWhatOneElementDoes) {
  Output output(DType::f32, of_either_sign(200));
  output.draw(27, [&](double r, std::size_t i) { return i == 5 ? 0.5 : output.eps() * (i % 2 == 0 ? r : -r); });
  const Measurement m =
      output.off_by([&](double r, std::size_t i) { return i == 5 ? 1.9 : output.eps() * (i % 3 == 0 ? r : -r); });
  EXPECT_EQ(verdict_of(m), Verdict::equivalent);
}

TEST(SharedErrors, AreNotJudgedBehindAJump) {
  Drawn drawn{.nature = Nature::stepped};
  const Tensor r = Tensor::of<double>({1000}, of_either_sign(1000));
  add_draw(drawn, r, r, 1);
  EXPECT_TRUE(explain(r, drawn).shared.empty());
}

TEST(SharedErrors, AreJudgedAfterNineDrawsWithinTheToleranceAndAfterAllWhereItIsStrict) {
  Output output(DType::f16, of_either_sign(1000));
  const auto off = [&](double r, std::size_t) { return 6 * output.eps() * r; };
  output.draw_each(3, output.eps());
  EXPECT_EQ(verdict_of(output.off_by(off, true)), Verdict::equivalent);
  EXPECT_EQ(output.off_by(off, true).undecided, 9);
  output.draw_each(6, output.eps());
  EXPECT_EQ(verdict_of(output.off_by(off, true)), Verdict::deviates);
  EXPECT_EQ(verdict_of(output.off_by(off, false)), Verdict::equivalent);
  EXPECT_EQ(output.off_by(off, false).undecided, 27);
}

TEST(SharedErrors, OfTwoSamplesAreThoseThatStandOutMore) {
  Measurement a, b;
  a.shared = {SharedError::Kind::ratio, 3, 2, 100};
  b.shared = {SharedError::Kind::offset, 1, 0.1, 70};
  a.note = "of a";
  b.note = "of b";
  EXPECT_EQ(worse(a, b).note, "of b");
  EXPECT_EQ(worse(b, a).note, "of b");
  EXPECT_EQ(worse(a, b).shared.kind, SharedError::Kind::offset);
  EXPECT_EQ(worse(b, a).shared.kind, SharedError::Kind::offset);
  EXPECT_EQ(worse(a, {}).shared.elements, 100);
  EXPECT_EQ(worse({}, a).shared.elements, 100);
}

}  // namespace
}  // namespace culprit
