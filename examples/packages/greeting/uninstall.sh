#!/bin/sh
set -eu
root="${MUSTER_EXAMPLE_ROOT:-/opt/muster-examples}"
rm -rf "$root/greeting"
# Remove the folder if no other example uses it.
rmdir "$root" 2> /dev/null || true
