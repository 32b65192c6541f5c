#pragma once
// Changes of one network, in the words of Network (network/network.h): numbers of its layers and values, and tensors in
// the layout of that network. An edit changes what a run computes, never the Network itself: numbers stay what they
// are.
//
// All edits of a list are made together. Where two of them say something else about the same place, the later one wins.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "network/network.h"
#include "tensor/tensor.h"

namespace culprit {

/// A tensor stands in the place of a value.
struct SetConstant {
  int value = -1;  ///< a constant, or what follows from constants alone; not looked at where `layer` is given
  Tensor tensor;
  int layer = -1;      ///< only what this layer takes at `at`, and nobody else's use; -1: all uses of `value`
  std::size_t at = 0;  ///< of NetworkLayer::inputs; where the layer takes nothing there so far, it does now: a bias
};

/// A hyper-parameter gets another value, by the name that it has in NetworkLayer::hyper.
struct SetHyper {
  int layer = -1;
  std::string name;
  Hyper hyper;
};

/// The layer computes another operator from the same values: Relu -> Clip. Its old hyper-parameters go.
struct SetType {
  int layer = -1;
  std::string type;
  std::map<std::string, Hyper> hyper;
};

/// The users of the layer's output 0 get its input 0. Its other outputs must have no users.
struct Bypass {
  int layer = -1;
};

/// A new layer of one output takes a value, and its users get what it makes. Of `layer` only type and hyper are looked
/// at; its inputs are the value, `with` if there is one, and then `constants` (one of type undefined: not given).
/// Several behind one value stand in the order of the list.
struct InsertBehind {
  int value = -1;
  std::vector<int> users;  ///< layers; empty: all, the outputs of the network and who looks at the value as well
  NetworkLayer layer;
  std::vector<Tensor> constants = {};
  int with = -1;  ///< another computed value, or -1; users that it follows from keep the value that they have
  bool is_with_first = false;  ///< it stands before the value: what is divided by it
};

/// A layer takes another value.
struct SetInput {
  int layer = -1;
  std::size_t at = 0;  ///< of NetworkLayer::inputs
  int value = -1;      ///< must not follow from what the layer makes
};

/// An output of the network keeps its name and its place, and gives another value.
struct SetOutput {
  std::size_t at = 0;  ///< of Network::outputs
  int value = -1;
};

using Edit = std::variant<SetConstant, SetHyper, SetType, Bypass, InsertBehind, SetInput, SetOutput>;

/// Errors: unsupported, where an edit names a layer or a value that the network does not have.
Result<void> check_places(const Edit& edit, const Network& network);

/// "kernel_shape of 'pool' := [2, 2]", "'relu' is left out": for messages and reports.
std::string to_string(const Edit& edit, const Network& network);

}  // namespace culprit
