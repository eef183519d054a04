#!/bin/sh
# Brings the lists of apt up to date. What is missing, the agent then finds out and tells by itself.
set -eu
export LC_ALL=C
command -v apt-get > /dev/null || { echo "This computer has no apt." >&2; exit 1; }
apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update
