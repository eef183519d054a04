#!/bin/sh
# Updates the package lists of apt. The agent then finds the missing patches and reports them.
set -eu
export LC_ALL=C
command -v apt-get > /dev/null || { echo "This computer has no apt." >&2; exit 1; }
apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update
