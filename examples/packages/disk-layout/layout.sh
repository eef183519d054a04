#!/bin/sh
# install, update, uninstall or detect: what the layout does to disks, it only writes down.
set -eu
root="${MUSTER_EXAMPLE_ROOT:-/opt/muster-examples}"
case "$1" in
  install | update)
    mkdir -p "$root"
    cp layout.txt "$root/layout.txt"
    ;;
  uninstall)
    rm -f "$root/layout.txt"
    # The folder goes with the last example that is in it.
    rmdir "$root" 2> /dev/null || true
    ;;
  detect) cmp -s layout.txt "$root/layout.txt" ;;
esac
