#include "tokens/token_decoder.h"

#include <gtest/gtest.h>

namespace culprit {
}
