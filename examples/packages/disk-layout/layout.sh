#!/bin/sh
# Usage: layout.sh install|update|uninstall|detect
# This example does not touch any disk: it only records the layout in a file.
set -eu
root="${MUSTER_EXAMPLE_ROOT:-/opt/muster-examples}"
case "$1" in
  install | update)
    mkdir -p "$root"
    cp layout.txt "$root/layout.txt"
    ;;
  uninstall)
    rm -f "$root/layout.txt"
    # Remove the folder if no other example uses it.
    rmdir "$root" 2> /dev/null || true
    ;;
  detect) cmp -s layout.txt "$root/layout.txt" ;;
esac
