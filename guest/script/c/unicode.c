// The Unicode tables of QuickJS-NG.
#include "libunicode.c"
