#include "data/sets/array_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/data_set.h"
#include "interfaces.h"
#include "npz_file.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class ArrayRowsTest : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] Result<std::unique_ptr<SampleSource>> open_npz(const std::vector<NamedTensor>& members) const {
    write_npz(at("x.npz"), members);
    return open_array_rows(at("x.npz"), model, {folder_.path(), given});
  }
  [[nodiscard]] std::string complaint(const std::vector<NamedTensor>& members) const {
    const auto source = open_npz(members);
    return source ? "fine" : source.error().message;
  }

  Model model = model_with({value("x", DType::f32, {open("batch"), fixed(2)})});
  std::vector<NamedTensor> given;
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-rows").value();
};

const Tensor three_rows = Tensor::of<float>({3, 2}, {0, 1, 2, 3, 4, 5});
const Tensor three_labels = Tensor::of<std::int64_t>({3}, {7, 0, 2});

TEST_F(ArrayRowsTest, ARowIsASampleWithABatchOfOneAndItsLabel) {
  const auto source = open_npz({{"x", three_rows}, {"y", three_labels}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ((*source)->size(), 3);
  EXPECT_TRUE((*source)->has_truth());
  EXPECT_EQ((*source)->truth(2).label, "2");
  EXPECT_EQ((*source)->name(1), "x.npz #1");
  const auto sample = (*source)->at(1, {});
  ASSERT_TRUE(sample);
  EXPECT_EQ(input(*sample, "x").shape(), (Shape{1, 2}));
  EXPECT_THAT(input(*sample, "x").as<float>(), ElementsAre(2, 3));
}

TEST_F(ArrayRowsTest, NamesThatNumpyGivesGoByTheirOrder) {
  EXPECT_EQ(complaint({{"arr_0", three_rows}}), "fine");
  model.interface.inputs.push_back(value("z", DType::i64, {}));
  const auto source = open_npz({{"arr_0", three_rows}, {"arr_1", three_labels}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_FALSE((*source)->has_truth()) << "it is fed";
  EXPECT_EQ(input(*(*source)->at(0, {}), "z").shape(), Shape{});
  EXPECT_EQ(input(*(*source)->at(0, {}), "z").number(0), 7);
}

TEST_F(ArrayRowsTest, ANameOfTensorflowCountsWithAndWithoutItsNumber) {
  model.path = "cache/0123456789abcdef.pb";
  model.facts.path = "models/text.sm/";
  model.interface.inputs = {value("first:0", DType::f32, {open("batch"), fixed(2)}),
                            value("y:0", DType::i64, {open("batch")})};
  const auto source = open_npz({{"y", three_labels}, {"first", three_rows}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_FALSE((*source)->has_truth()) << "it is fed";
  EXPECT_EQ(input(*(*source)->at(1, {}), "first:0").number(0), 2);
  EXPECT_THAT(complaint({{"y", three_labels}, {"first", three_labels}}), HasSubstr("and text.sm takes first:0"));
}

TEST_F(ArrayRowsTest, WhatDoesNotFitIsTold) {
  EXPECT_THAT(complaint({{"w", three_rows}, {"v", three_rows}}), HasSubstr("has no array for input 'x'"));
  EXPECT_THAT(complaint({{"x", Tensor::of<float>({3, 4}, std::vector<float>(12))}}),
              HasSubstr("one row of 'x', float32[3,4], is [4], and model.onnx takes x"));
  EXPECT_THAT(complaint({{"x", Tensor::of<float>({0, 2}, {})}}), HasSubstr("has no rows"));
  EXPECT_THAT(complaint({{"x", three_rows}, {"y", Tensor::of<std::int64_t>({2}, {1, 2})}}),
              HasSubstr("'y', int64[2], holds no number for each of 3 samples"));
  EXPECT_FALSE(open_array_rows(at("none.npz"), model, {folder_.path()}));
}

TEST_F(ArrayRowsTest, WhatToDoIsTold) {
  const auto wide = open_npz({{"x", Tensor::of<double>({3, 2}, std::vector<double>(6))}});
  ASSERT_FALSE(wide);
  EXPECT_THAT(wide.error().message, HasSubstr("'x' is float64[3,2], and model.onnx takes x"));
  EXPECT_THAT(wide.error().hint, HasSubstr(".astype('float32')"));
  model.interface.inputs[0].dims[0] = fixed(3);
  const auto whole = open_npz({{"x", three_rows}});
  ASSERT_FALSE(whole) << "the array is the sample, and no set of them";
  EXPECT_EQ(whole.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(whole.error().hint, HasSubstr("one row of the array is one sample: save an array [n,3,2]"));
}

TEST_F(ArrayRowsTest, ANameThatIsKnownIsNotFedToTwoInputs) {
  model.interface.inputs.push_back(value("z", DType::f32, {open("batch"), fixed(2)}));
  EXPECT_THAT(complaint({{"z", three_rows}, {"w", three_rows}}), HasSubstr("has no array for input 'x'"));
}

TEST_F(ArrayRowsTest, AValueOfTheCommandLineComesBeforeTheArray) {
  given = {{"x", Tensor::of<float>({1, 2}, {8, 9})}};
  auto source = open_npz({{"x", three_rows}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ((*source)->size(), 3);
  EXPECT_THAT(input(*(*source)->at(1, {}), "x").as<float>(), ElementsAre(8, 9));
  model.interface.inputs.push_back(value("z", DType::f32, {open("batch"), fixed(2)}));
  source = open_npz({{"z", three_rows}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_THAT(input(*(*source)->at(1, {}), "x").as<float>(), ElementsAre(8, 9));
  EXPECT_THAT(input(*(*source)->at(1, {}), "z").as<float>(), ElementsAre(2, 3));
}

TEST_F(ArrayRowsTest, ArraysThatNobodyReadsAreNamed) {
  const Tensor labels = Tensor::of<std::int64_t>({3}, {1, 0, 2}), others = Tensor::of<std::int64_t>({3}, {1, 1, 2});
  auto source = open_npz({{"x", three_rows}, {"Y", labels}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_THAT((*source)->description().back(), HasSubstr("'Y' int64[3] is not used; labels are an array 'y'"));
  source = open_npz({{"x", three_rows}, {"labels", others}, {"y", labels}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_THAT((*source)->description().back(),
              HasSubstr("'y' int64[3] is not used, for labels come from 'labels'; they differ in 1 row"));
  source = open_npz({{"x", three_rows}, {"y", labels}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_THAT((*source)->description().back(), HasSubstr("labels from the array 'y'"));
}

TEST_F(ArrayRowsTest, MinusOneIsNoLabel) {
  auto source = open_npz({{"x", three_rows}, {"y", Tensor::of<std::int64_t>({3}, {7, -1, 2})}});
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_TRUE((*source)->has_truth());
  EXPECT_EQ((*source)->truth(1).label, "");
  EXPECT_THAT((*source)->description(), Contains("labels from the array 'y': 2 classes"));
  EXPECT_THAT((*source)->description(), Contains("1 sample has the label -1, which is taken as none"));
  source = open_npz({{"x", three_rows}, {"y", Tensor::of<std::int64_t>({3}, {-1, -1, -1})}});
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->has_truth());
}

TEST_F(ArrayRowsTest, TwoModelsThatReadTheSameRowsAreTold) {
  const std::vector<NamedTensor> members{{"x", three_rows}, {"w", three_rows}};
  const auto first = std::move(*open_npz(members)), again = std::move(*open_npz(members));
  EXPECT_TRUE(again->gives_the_same_as(*first));
  given = {{"x", Tensor::of<float>({1, 2}, {0, 0})}};
  model.interface.inputs.push_back(value("w", DType::f32, {open("batch"), fixed(2)}));
  const auto with_given = std::move(*open_npz(members));
  EXPECT_FALSE(with_given->gives_the_same_as(*first));
  given.clear();
  model.interface.inputs.erase(model.interface.inputs.begin());
  const auto of_w = std::move(*open_npz(members));
  EXPECT_FALSE(of_w->gives_the_same_as(*first)) << "another array for an input of another name";
}

TEST_F(ArrayRowsTest, NumbersThatAreRightMasksAndSetsOfClasses) {
  const auto truth_of = [&](const Tensor& y, std::int64_t row) {
    const auto source = open_npz({{"x", three_rows}, {"y", y}});
    EXPECT_TRUE(source) << source.error().text();
    EXPECT_TRUE((*source)->has_truth());
    return (*source)->truth(row);
  };
  const Truth number = truth_of(Tensor::of<float>({3}, {1, 2, 0.5F}), 2);
  EXPECT_EQ(number.label, "") << "not all are whole, so none is a class";
  ASSERT_EQ(number.values.size(), 1U);
  EXPECT_EQ(number.values[0].value.number(0), 0.5);
  const Truth either = truth_of(Tensor::of<double>({3, 1}, {1, 2, 0}), 1);
  EXPECT_EQ(either.label, "2") << "classes, or numbers: the task knows";
  EXPECT_EQ(either.values.at(0).value.number(0), 2);
  const Truth mask = truth_of(Tensor::of<std::uint8_t>({3, 1, 2}, {0, 1, 2, 3, 4, 255}), 1);
  EXPECT_EQ(mask.values.at(0).value.shape(), (Shape{1, 1, 2}));
  EXPECT_EQ(mask.values.at(0).value.number(1), 3);
  const Truth several = truth_of(Tensor::of<std::int64_t>({3, 3}, {0, 0, 0, 1, 0, 1, 0, 1, 0}), 1);
  EXPECT_TRUE(several.values.empty());
  EXPECT_THAT(*several.classes, ElementsAre(0, 2));
  EXPECT_THAT(*truth_of(Tensor::of<std::int64_t>({3, 3}, {0, 0, 0, 1, 0, 1, 0, 1, 0}), 0).classes, testing::IsEmpty());
  EXPECT_FALSE(truth_of(Tensor::of<std::int64_t>({3, 2}, {0, 0, 0, 2, 1, 1}), 1).classes) << "2 is neither";
}

/// 3 rows and 1: neither is guessed to be a sample.
TEST_F(ArrayRowsTest, OtherNumbersOfRowsAreToldAndNotFedAtOnce) {
  model.interface.inputs.push_back(value("z", DType::f32, {open("batch"), fixed(2)}));
  const auto rows = open_npz({{"x", three_rows}, {"z", Tensor::of<float>({1, 2}, {1, 2})}});
  ASSERT_FALSE(rows);
  DataSetOptions options;
  options.data.data = at("x.npz");
  options.work = folder_.path();
  const auto of_eval = open_data_set(model, options);
  ASSERT_FALSE(of_eval);
  EXPECT_THAT(of_eval.error().message, HasSubstr("'x' has 3 rows, and 'z' has 1 row"));
  const auto of_check = open_check_data(model, options);
  ASSERT_FALSE(of_check);
  EXPECT_THAT(of_check.error().message, HasSubstr("'x' has 3 rows, and 'z' has 1 row"));
  model.interface.inputs[1].dims[0] = open("words");
  EXPECT_TRUE(open_data_set(model, options)) << "the model says that these are two sizes: one sample";
}

TEST_F(ArrayRowsTest, ACheckJudgesAFewRowsByTheirNumbersAndAllByWhatIsDecided) {
  const auto npz = open_npz({{"x", Tensor::of<float>({40, 2}, std::vector<float>(80, 1))}});
  ASSERT_TRUE(npz);
  model.interface.inputs[0].dims[0] = fixed(1);
  DataSetOptions options;
  options.data.data = at("x.npz");
  options.work = folder_.path();
  const auto all = open_check_data(model, options);
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->proposals.front().size(), 10);
  EXPECT_EQ(all->whole->size(), 40);
  EXPECT_EQ(all->numbers.size(), 40);
  ASSERT_EQ(all->proposals.front().warnings.size(), 1U);
  EXPECT_EQ(all->proposals.front().warnings[0].code, "samples_left_out");
  EXPECT_EQ(all->proposals.front().warnings[0].message,
            "10 of 40 samples are compared number by number; --samples 40 takes all");
  options.data.samples = 4;
  const auto few = open_check_data(model, options);
  ASSERT_TRUE(few) << few.error().text();
  EXPECT_EQ(few->proposals.front().size(), 4);
  EXPECT_TRUE(few->proposals.front().warnings.empty()) << "they asked for so many";
  EXPECT_THAT(few->numbers, ElementsAre(0, 10, 20, 30));
}

TEST_F(ArrayRowsTest, AnArrayThatFitsAsAWholeIsOneSampleOfACheck) {
  ASSERT_TRUE(open_npz({{"x", three_rows}}));
  DataSetOptions options;
  options.data.data = at("x.npz");
  options.work = folder_.path();
  const auto opened = open_check_data(model, options);
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_EQ(opened->whole->size(), 1) << "a batch of three";
}

}  // namespace
}  // namespace culprit
