// The nodes that make some values, and all within 1, 2, 4, 8 and 16 steps of them along values.

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

constexpr std::array<int, 6> radii = {0, 1, 2, 4, 8, 16};

/// Which nodes lie next to each other, along values that nodes make; constants aside.
class Neighbours {
 public:
  explicit Neighbours(const onnx::GraphProto& graph) : next_(static_cast<std::size_t>(graph.node_size())) {
    for (int i = 0; i < graph.node_size(); ++i) {
      if (is_constant(graph.node(i))) continue;
      for (const auto& output : graph.node(i).output()) maker_[output] = static_cast<std::size_t>(i);
      for (const std::string& name : used_by(graph.node(i))) {
        const auto maker = maker_.find(name);
        if (maker == maker_.end()) continue;
        next_[maker->second].push_back(static_cast<std::size_t>(i));
        next_[static_cast<std::size_t>(i)].push_back(maker->second);
      }
    }
  }

  [[nodiscard]] std::vector<bool> ball(const std::vector<std::string>& centres, int radius) const {
    std::vector<bool> kept(next_.size(), false);
    std::vector<std::size_t> rim;
    for (const std::string& name : centres) {
      const auto maker = maker_.find(name);
      if (maker != maker_.end() && !kept[maker->second]) rim.push_back(maker->second);
      if (maker != maker_.end()) kept[maker->second] = true;
    }
    for (int step = 0; step < radius; ++step) {
      std::vector<std::size_t> outer;
      for (const std::size_t node : rim) {
        for (const std::size_t other : next_[node]) {
          if (!kept[other]) outer.push_back(other);
          kept[other] = true;
        }
      }
      rim = std::move(outer);
    }
    return kept;
  }

 private:
  std::unordered_map<std::string, std::size_t> maker_;
  std::vector<std::vector<std::size_t>> next_;
};

/// Values that cross the rim of any ball.
std::vector<std::string> values_around(const onnx::ModelProto& model, const std::vector<std::string>& centres) {
  const Neighbours neighbours(model.graph());
  std::unordered_map<std::string, std::size_t> maker;
  std::set<std::string> crossing;
  for (const int radius : radii) {
    const std::vector<bool> kept = neighbours.ball(centres, radius);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto& node = model.graph().node(static_cast<int>(i));
      if (is_constant(node)) continue;
      for (const std::string& name : used_by(node)) {
        const auto made = maker.find(name);
        if (made != maker.end() && kept[made->second] != kept[i]) crossing.insert(name);
      }
      for (const auto& output : node.output()) maker[output] = i;
    }
  }
  return {crossing.begin(), crossing.end()};
}

}  // namespace

Delta cut_around(const std::vector<std::string>& values) {
  const auto ball = [values](const View& view, std::size_t number, std::size_t /*last*/) {
    return cut(view, Neighbours(view.model.graph()).ball(values, radii.at(number)));
  };
  return {Delta::Way::listed, false, [](const View&) { return radii.size(); }, ball,
          [values](const onnx::ModelProto& model) { return values_around(model, values); }};
}

}  // namespace culprit
