#!/bin/sh
set -eu
root="${MUSTER_EXAMPLE_ROOT:-/opt/muster-examples}"
rm -rf "$root/greeting"
# The folder goes with the last example that is in it.
rmdir "$root" 2> /dev/null || true
