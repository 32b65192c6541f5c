// Places on the wire: names that a worker read in the model, believed to be nothing but names.
#include <algorithm>

#include "worker/wire.h"

namespace culprit::wire {
namespace {

constexpr std::size_t longest_name = 4096;  // bytes
constexpr int most_inputs = 64;

bool is_name(const std::string& text) { return text.size() <= longest_name; }

bool makes_sense(const Place& wire) {
  return is_name(wire.pass()) && is_name(wire.op_type()) && is_name(wire.output()) &&
         wire.inputs_size() <= most_inputs && std::ranges::all_of(wire.inputs(), is_name);
}

}  // namespace

void encode(const std::vector<culprit::Place>& places, Places& wire) {
  for (const culprit::Place& place : places) {
    Place added;
    added.set_pass(place.pass);
    added.set_op_type(place.op_type);
    added.set_output(place.output);
    for (const std::string& input : place.inputs) added.add_inputs(input);
    if (makes_sense(added)) *wire.add_places() = std::move(added);
  }
}

std::vector<culprit::Place> decode(const Places& wire, std::size_t most) {
  std::vector<culprit::Place> places;
  for (const Place& place : wire.places()) {
    if (places.size() >= most) break;
    if (!makes_sense(place)) continue;
    places.push_back({place.pass(), place.op_type(), place.output(), {place.inputs().begin(), place.inputs().end()}});
  }
  return places;
}

}  // namespace culprit::wire
