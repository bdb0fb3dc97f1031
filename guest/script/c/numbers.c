// Reading and writing of numbers of QuickJS-NG.
#include "dtoa.c"
