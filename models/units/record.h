#pragma once
#include "tlm/record.h"
