#pragma once
// A model of TensorFlow that is ready to run. Private to this room.

#include <memory>
#include <string>
#include <vector>

#include "network/tensorflow/tensorflow_model.h"
#include "runtime/runner.h"
#include "runtime/tensorflow/tensors.h"

namespace culprit {

class TensorflowSession : public RunnerSession {
 public:
  TensorflowSession(const tf::Api& api, const SessionOptions& options);
  ~TensorflowSession() override;
  TensorflowSession(const TensorflowSession&) = delete;
  TensorflowSession& operator=(const TensorflowSession&) = delete;

  Result<void> open_graph(std::string_view bytes);
  /// `bytes` are those of its saved_model.pb.
  Result<void> open_saved_model(const std::filesystem::path& folder, std::string_view bytes);

  [[nodiscard]] Level level() const override { return options_.level; }
  Result<std::vector<NamedTensor>> run(const std::vector<NamedTensor>& given) override;

 private:
  struct Place {
    TensorflowValue value;
    tf::Output output;
  };

  Result<void> check(const TensorflowModel& model);
  Result<void> configure(tf::Handle options);
  Result<void> find_places(bool is_saved);
  Result<Place> place_of(const TensorflowValue& value);
  void add_other_outputs(const Place& first);
  Result<const Place*> input_named(const std::string& name) const;
  Result<void> expect_all_fed(const std::vector<tf::Output>& to) const;
  Result<std::vector<tf::Owned>> computed(const std::vector<tf::Output>& to, const std::vector<tf::FedTensor>& fed);
  Result<void> good(const std::string& what) const;

  const tf::Api& api_;
  SessionOptions options_;
  TensorflowInterface interface_;
  tf::Owned status_, graph_;
  tf::Handle session_ = nullptr;
  std::vector<Place> inputs_, outputs_;  // inputs: those of the model, then what is fed
};

}  // namespace culprit
