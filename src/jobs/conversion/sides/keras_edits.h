#pragma once
// What can be changed in a graph that Keras made (network/keras/keras_graph.h): stored numbers, and new layers behind
// values, as an honest rounding wants them. Private to this folder.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conversion/edits/edit.h"
#include "network/graph_def.pb.h"
#include "network/keras/keras_graph.h"

namespace culprit {

class KerasEdits {
 public:
  /// Both must outlive it.
  KerasEdits(const KerasRun& keras, tensorflow::Graph& graph) : keras_(keras), graph_(graph) {}

  /// Changes the graph. Errors: unsupported (names the edit): all but SetConstant for all users of a stored constant
  /// whose numbers lie in the graph as they are, and InsertBehind for all users of an input or of what a layer makes.
  Result<void> make(const std::vector<Edit>& edits);
  /// The tensor that whoever looks at the value finds it in now; "" where no run shows it.
  [[nodiscard]] std::string shown(int value) const;

 private:
  Result<void> make_one(const SetConstant& edit);
  Result<void> make_one(const InsertBehind& edit);
  template <class Other>
  Result<void> make_one(const Other& /*edit*/) {
    return fail(ErrorKind::unsupported, "a model of Keras runs as it is");
  }

  /// shown, and of an input that itself.
  [[nodiscard]] std::string taken_from(int value) const;
  void find_constants();
  tensorflow::Node& add_node(const std::string& operation);
  /// For all that take the value.
  void use_instead(int value, const std::string& tensor);
  Result<void> cast_behind(int value, std::int32_t to);
  Result<void> compute_behind(int value, const char* operation, const Tensor& with);

  const KerasRun& keras_;
  tensorflow::Graph& graph_;
  std::map<std::string, std::vector<int>> constants_;  // nodes, by the bytes of their numbers
  std::map<int, std::string> instead_;                 // by value
  std::map<int, std::int32_t> types_;                  // of these
  int added_ = 0;
};

}  // namespace culprit
