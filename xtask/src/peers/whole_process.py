"""`return 1` as a whole process, which modebox has no command for."""

import sys

import modebox

runner = modebox.Runner(metering=False, cache_dir=sys.argv[1])
print(runner.run_sync("return 1").value)
runner.close()
