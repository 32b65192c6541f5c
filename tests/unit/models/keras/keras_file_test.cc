// Files of Keras: layers, weights and who takes what; and what is refused.
#include <gmock/gmock.h>

#include "base/random.h"
#include "keras/keras_model.h"
#include "support/keras_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two Dense layers, the second called "end"; in the spelling of Keras 3.
std::string small_config(const std::string& first = R"("class_name": "Dense", "module": "keras.layers")",
                         const std::string& more = R"("activation": "relu")") {
  return R"({"module": "keras", "class_name": "Sequential", "config": {"name": "small", "layers": [
    {"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 3], "name": "x"}},
    {)" + first +
         R"(, "config": {"name": "begin", "units": 2, "use_bias": true, )" + more + R"(}},
    {"module": "keras.layers", "class_name": "Dense", "config": {"name": "end", "units": 1, "use_bias": false}}]}})";
}

Hdf5Content small_weights() {
  return {{{"layers/dense/vars/0", rising_tensor({3, 2})},
           {"layers/dense/vars/1", rising_tensor({2}, 0.5F)},
           {"layers/dense_1/vars/0", rising_tensor({2, 1}, 2)}}};
}

class KerasFiles : public ::testing::Test {
 protected:
  Result<KerasFile> read(const std::string& config, const Hdf5Content& weights, const KerasOptions& options = {}) {
    write_keras(path(), config, weights);
    return read_keras_file(path(), options);
  }
  [[nodiscard]] fs::path path() const { return folder_.path() / "model.keras"; }
  static void expect_refusal(const Result<KerasFile>& file, const std::string& words) {
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().text(), HasSubstr(words));
    EXPECT_THAT(file.error().message, HasSubstr("model."));
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "keras-").value();
};

TEST_F(KerasFiles, SequentialModelsAreChainsOfTheirLayers) {
  const auto file = read(small_config(), small_weights());
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->keras_version, "3.15.1");
  ASSERT_EQ(file->model.layers.size(), 3U);
  const KerasLayer& dense = file->model.layers[1];
  EXPECT_EQ(dense.name, "begin");
  ASSERT_EQ(dense.weights.size(), 2U);
  EXPECT_EQ(dense.weights[0].role, "kernel");
  EXPECT_TRUE(dense.weights[0].tensor.identical(rising_tensor({3, 2})));
  EXPECT_EQ(dense.weights[1].role, "bias");
  EXPECT_EQ(file->model.layers[2].weights[0].name, "layers/dense_1/vars/0");
  EXPECT_EQ(dense.calls[0].arguments[0].from->layer, 0);
}

TEST_F(KerasFiles, GroupsThatNameTheirLayersAreTakenByTheName) {
  Hdf5Content weights = small_weights();
  std::swap(weights.arrays.at("layers/dense/vars/0"), weights.arrays.at("layers/dense_1/vars/0"));
  weights.arrays["layers/dense_1/vars/1"] = weights.arrays.at("layers/dense/vars/1");
  weights.arrays.erase("layers/dense/vars/1");
  weights.texts = {{"layers/dense/vars", {{"name", {"end"}}}}, {"layers/dense_1/vars", {{"name", {"begin"}}}}};
  const auto file = read(small_config(), weights);
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_THAT(file->model.layers[1].weights[0].tensor.shape(), ElementsAre(3, 2));
}

TEST_F(KerasFiles, DeflatedArraysAreRead) {
  Hdf5Content weights = small_weights();
  weights.is_deflated = true;
  const auto file = read(small_config(), weights);
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_TRUE(file->model.layers[1].weights[0].tensor.identical(rising_tensor({3, 2})));
}

TEST_F(KerasFiles, WeightsThatDoNotFitTheirLayerAreAnError) {
  Hdf5Content weights = small_weights();
  weights.arrays.erase("layers/dense/vars/1");
  expect_refusal(read(small_config(), weights), "the layer begin (Dense)");
  weights = small_weights();
  weights.arrays["layers/dense_1/vars/1"] = rising_tensor({1});
  expect_refusal(read(small_config(), weights), "the layer end (Dense)");
}

TEST_F(KerasFiles, CodeOfStrangersIsRefusedUnlessTrusted) {
  const std::string lambda = R"("class_name": "Lambda", "module": "keras.layers")";
  const std::string pickled =
      R"("function": {"class_name": "__lambda__", "config": {"value": "4wEAAAAA"}}, "activation": "linear")";
  Hdf5Content weights = small_weights();
  weights.arrays = {{"layers/dense/vars/0", rising_tensor({2, 1})}};
  expect_refusal(read(small_config(lambda, pickled), weights), "the layer begin holds a Lambda");
  const auto trusted = read(small_config(lambda, pickled), weights, {.trust = true});
  ASSERT_TRUE(trusted) << trusted.error().text();
  EXPECT_EQ(trusted->model.layers[1].class_name, "Lambda");

  expect_refusal(read(small_config(R"("class_name": "Mine", "module": "__main__")"), weights), "__main__.Mine");
  expect_refusal(read(small_config(R"("class_name": "Mine")"), weights), "of the class Mine");
  expect_refusal(read(small_config(R"("class_name": "Dense", "registered_name": "Custom>Dense")"), weights),
                 "not Keras' own");
  expect_refusal(read(small_config(R"("class_name": "TFSMLayer", "module": "keras.layers")"), weights),
                 "loads another program");
  expect_refusal(read(small_config(R"("class_name": "Dense")", R"("activation": "mine")"), weights), "activation mine");
  expect_refusal(
      read(small_config(R"("class_name": "Dense")",
                        R"("activation": {"module": "builtins", "class_name": "function", "config": "my_relu"})"),
           weights),
      "function my_relu");
}

TEST_F(KerasFiles, ArchivesThatLieAreRefused) {
  write_zip(path(), {{"config.json", small_config()}, {"../model.weights.h5", "x"}});
  expect_refusal(read_keras_file(path()), "outside of itself");
  write_zip(path(), {{"config.json", small_config()}});
  expect_refusal(read_keras_file(path()), "holds no model.weights.h5");
  write_zip(path(), {{"config.json", small_config()}, {"model.weights.h5", "no HDF5"}});
  expect_refusal(read_keras_file(path()), "HDF5");
  write_zip(path(), {{"config.json", std::string(100'000, '[')}, {"model.weights.h5", ""}});
  expect_refusal(read_keras_file(path()), "nested too deep");
  ASSERT_TRUE(write_file_atomic(path(), "no model at all"));
  expect_refusal(read_keras_file(path()), "neither");
}

TEST_F(KerasFiles, CutFilesAreErrors) {
  write_keras_h5(path(), small_config(), {{"begin", {"begin/kernel:0", "begin/bias:0"}}, {"end", {"end/kernel:0"}}},
                 {{"begin/kernel:0", rising_tensor({3, 2})},
                  {"begin/bias:0", rising_tensor({2})},
                  {"end/kernel:0", rising_tensor({2, 1})}});
  ASSERT_TRUE(read_keras_file(path()));
  const std::string bytes = read_file(path()).value();
  for (std::size_t size = 0; size < bytes.size(); size += 499) {
    ASSERT_TRUE(write_file_atomic(path(), bytes.substr(0, size)));
    EXPECT_FALSE(read_keras_file(path())) << size;
  }
}

/// libhdf5 1.10 crashes on one of a hundred such files. Whoever reads them must not.
TEST_F(KerasFiles, DamagedFilesAreReadOrRefused) {
  write_keras_h5(path(), small_config(), {{"begin", {"begin/kernel:0", "begin/bias:0"}}, {"end", {"end/kernel:0"}}},
                 {{"begin/kernel:0", rising_tensor({3, 2})},
                  {"begin/bias:0", rising_tensor({2})},
                  {"end/kernel:0", rising_tensor({2, 1})}});
  const std::string bytes = read_file(path()).value();
  Random random(7);
  int refused = 0;
  for (int round = 0; round < 50; ++round) {
    std::string damaged = bytes;
    for (int place = 0; place < 4; ++place)
      damaged[random.next() % damaged.size()] = static_cast<char>(random.next() & 255U);
    ASSERT_TRUE(write_file_atomic(path(), damaged));
    refused += read_keras_file(path()) ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

TEST_F(KerasFiles, ListsThatAreTooLongForOneAttributeLieInSeveral) {
  Hdf5Content content;
  content.texts[""] = {{"model_config", {small_config()}}};
  content.texts["model_weights/begin"] = {{"weight_names0", {"a"}}, {"weight_names1", {"b"}}};
  content.texts["model_weights/end"] = {{"weight_names", {"c"}}};
  content.arrays = {{"model_weights/begin/a", rising_tensor({3, 2})},
                    {"model_weights/begin/b", rising_tensor({2})},
                    {"model_weights/end/c", rising_tensor({2, 1})},
                    {"optimizer_weights/begin/a", rising_tensor({9})}};
  write_hdf5(path(), content);
  const auto file = read_keras_file(path());
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->model.layers[1].weights.at(1).name, "b");
  EXPECT_EQ(file->model.layers[1].weights.at(1).role, "bias");
  content.texts[""] = {};
  write_hdf5(path(), content);
  expect_refusal(read_keras_file(path()), "holds weights and no model");
}

TEST_F(KerasFiles, ArraysThatAreNotThereAreNotMade) {
  const fs::path sparse = folder_.path() / "sparse.h5";
  {
    const Hdf5Handle file(H5Fcreate(sparse.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    make_groups(file.id(), "layers/dense/vars/");
    const hsize_t dims[] = {UINT64_C(1) << 30U, 1024};  // 4 TiB of which none is stored
    const Hdf5Handle space(H5Screate_simple(2, dims, nullptr), H5Sclose);
    const Hdf5Handle array(
        H5Dcreate2(file.id(), "layers/dense/vars/0", H5T_IEEE_F32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
  }
  write_zip(path(), {{"config.json", small_config()}, {"model.weights.h5", read_file(sparse).value()}});
  expect_refusal(read_keras_file(path()), "larger than what the file holds");
}

/// Keras 3 writes bfloat16 as two bytes of no type, and says beside what they are.
TEST_F(KerasFiles, Bfloat16IsTwoBytesWithAName) {
  const fs::path weights = folder_.path() / "half.h5";
  for (const bool is_named : {true, false}) {
    write_hdf5(weights, small_weights());
    {
      const Hdf5Handle file(H5Fopen(weights.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      ASSERT_GE(H5Ldelete(file.id(), "layers/dense/vars/1", H5P_DEFAULT), 0);
      const hsize_t count = 2;
      const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose), type(H5Tcreate(H5T_OPAQUE, 2), H5Tclose);
      const Hdf5Handle array(
          H5Dcreate2(file.id(), "layers/dense/vars/1", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          H5Dclose);
      const std::vector<std::uint16_t> numbers{0x3F80, 0xC000};
      ASSERT_GE(H5Dwrite(array.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
      if (is_named) write_texts(file.id(), "layers/dense/vars/1", "dtype", {"bfloat16"});
    }
    write_zip(path(), {{"config.json", small_config()}, {"model.weights.h5", read_file(weights).value()}});
    const auto file = read_keras_file(path());
    ASSERT_EQ(file.has_value(), is_named);
    if (!is_named) continue;
    const Tensor& bias = file->model.layers[1].weights.at(1).tensor;
    EXPECT_EQ(bias.dtype(), DType::bf16);
    EXPECT_EQ(bias.number(0), 1);
    EXPECT_EQ(bias.number(1), -2);
  }
}

TEST_F(KerasFiles, LinksLeadNowhere) {
  const fs::path linked = folder_.path() / "linked.h5";
  write_hdf5(linked, small_weights());
  {
    const Hdf5Handle file(H5Fopen(linked.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file.id(), "layers/dense/vars/0", H5P_DEFAULT), 0);
    ASSERT_GE(H5Lcreate_external("/etc/passwd", "x", file.id(), "layers/dense/vars/0", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_GE(H5Lcreate_hard(file.id(), "layers", file.id(), "layers/dense/again", H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  write_zip(path(), {{"config.json", small_config()}, {"model.weights.h5", read_file(linked).value()}});
  expect_refusal(read_keras_file(path()), "nested more than");
}

}  // namespace
}  // namespace culprit
