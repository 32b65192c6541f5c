#pragma once
// Reports as `check` makes them, for the tests of what is written about them.

#include "record/report.h"

namespace culprit::testing {

ModelReport ok_report();          ///< nothing wrong; most passes change nothing, three make one model
ModelReport faulty_report();      ///< two passes break it, in different ways
ModelReport crashed_report();     ///< a pass kills the optimizer, which said something before
ModelReport weak_report();        ///< the data cannot tell
ModelReport rejected_report();    ///< the model itself does not load, and names and messages are long and hostile
ModelReport warning_report();     ///< many warnings
ModelReport given_report();       ///< a variant that was given as a file, and that no pass makes
ModelReport recognised_report();  ///< a variant that was given, and that a pass makes
ModelReport unreadable_report();  ///< the file is no model
/// All of them, with totals and an environment.
Report full_report();

}  // namespace culprit::testing
