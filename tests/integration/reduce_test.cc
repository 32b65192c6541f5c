// culprit reduce as users run it.
#include <gtest/gtest.h>

#include "support/tool.h"
