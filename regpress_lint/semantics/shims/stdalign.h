#pragma once
#define __alignas_is_defined 1
