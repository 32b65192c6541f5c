#include "data/sets/expected_outputs.h"

#include <algorithm>
#include <utility>

#include "data/sample_folders.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

class WithExpectedOutputs : public SampleSource {
 public:
  WithExpectedOutputs(std::unique_ptr<SampleSource> source, std::vector<fs::path> folders, Interface interface)
      : source_(std::move(source)), folders_(std::move(folders)), interface_(std::move(interface)) {}

  [[nodiscard]] DataFacts facts() const override { return source_->facts(); }
  [[nodiscard]] std::int64_t size() const override { return source_->size(); }
  [[nodiscard]] std::string name(std::int64_t number) const override { return source_->name(number); }
  [[nodiscard]] std::vector<Warning> warnings(const std::vector<std::int64_t>& numbers) const override {
    return source_->warnings(numbers);
  }
  [[nodiscard]] std::vector<std::string> description() const override { return source_->description(); }

  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& stop) const override {
    auto sample = source_->at(number, stop);
    if (!sample) return sample;
    if (auto outputs = expected(number); !outputs) return fail(ErrorKind::bad_input, outputs.error().message);
    return sample;
  }
  [[nodiscard]] Truth truth(std::int64_t number) const override {
    Truth truth;
    if (auto outputs = expected(number)) truth.values = std::move(*outputs);
    return truth;
  }
  [[nodiscard]] bool has_truth() const override {
    return std::ranges::any_of(folders_,
                               [](const fs::path& folder) { return !numbered(folder, "output_", ".pb").empty(); });
  }

 private:
  [[nodiscard]] Result<std::vector<NamedTensor>> expected(std::int64_t number) const {
    return read_expected_outputs(folders_[static_cast<std::size_t>(number)], interface_);
  }

  std::unique_ptr<SampleSource> source_;
  std::vector<fs::path> folders_;
  Interface interface_;
};

}  // namespace

std::unique_ptr<SampleSource> with_expected_outputs(std::unique_ptr<SampleSource> source, std::vector<fs::path> folders,
                                                    Interface interface) {
  return std::make_unique<WithExpectedOutputs>(std::move(source), std::move(folders), std::move(interface));
}

}  // namespace culprit
