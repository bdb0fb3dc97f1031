// Regular expressions of QuickJS-NG.
#include "libregexp.c"
