#!/bin/sh
# Uses apt to install exactly the patches in the file MUSTER_PATCHES, whose keys have the form "package version". An
# installed package that is not in the list is neither changed nor removed. New packages are installed only if a patch
# depends on them. A patch whose .deb file came with the work is installed from that file, all others from the
# repositories of the computer. Exits with 1 if a patch could not be installed, and with 100 if the system needs a restart.
set -eu
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
# The system needs a restart if this file exists. MUSTER_REBOOT_SIGN names another file, for systems that use one.
sign="${MUSTER_REBOOT_SIGN:-/run/reboot-required}"

command -v apt-get > /dev/null || { echo "This computer has no apt." >&2; exit 1; }
eval "$(apt-config shell status Dir::State::status/f)"
admin=$(dirname "$status")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grep -oE '"key":"([^"\\]|\\.)*"' "$MUSTER_PATCHES" | cut -d '"' -f 4 > "$work/keys" || true
cut -d ' ' -f 1 "$work/keys" > "$work/released"

# Lists the files that came with the work as lines "package:architecture=version path". Paths are relative to the folder
# of the package, and contain no spaces.
cd "$(dirname "$MUSTER_PATCHES")"
find ./muster-patches -type f -name '*.deb' 2> /dev/null | while read -r file; do
  dpkg-deb -W --showformat '${Package}:${Architecture}=${Version}' "$file" && echo " $file"
done > "$work/files" || true

# Prints the file for a target if there is one, otherwise the target itself.
source_of() {
  awk -v target="$1" '$1 == target { found = $2 } END { print found ? found : target }' "$work/files"
}

# Prints the installed architectures of a package that lack the version, in the form that apt expects.
lacking() {
  dpkg-query --admindir="$admin" -W -f '${db:Status-Status} ${Package}:${Architecture} ${Version}\n' "$1:*" 2> /dev/null |
    while read -r state package version; do
      [ "$state" = installed ] || continue
      dpkg --compare-versions "$version" ge "$2" || echo "$package=$2"
    done
}

is_installed() {
  dpkg-query --admindir="$admin" -W -f '${db:Status-Status}\n' "$1:*" 2> /dev/null | grep -qx installed
}

# A key may contain anything. Only printf prints it as it is: echo makes line ends of "\n" in some shells, and a key with one
# would match by one of its lines.
is_name_and_version() {
  case "$1" in *[!A-Za-z0-9+.:~\ -]*) return 1 ;; esac
  printf '%s\n' "$1" | grep -qxE '[a-z0-9][a-z0-9+.-]+ [0-9][A-Za-z0-9.+:~-]*'
}

# Prints the packages outside the list that apt would upgrade or remove. Only upgrades show the old version in brackets.
beyond_the_list() {
  sed -nE 's/^Inst ([^ :]+)[^ ]* \[.*/\1/p; s/^Remv ([^ :]+).*/\1/p' "$1" | sort -u | grep -vxF -f "$work/released"
}

install() {
  apt-get -s --only-upgrade --no-install-recommends install "$@" > "$work/plan" || return 1
  if beyond_the_list "$work/plan" > "$work/beyond"; then
    echo "Not released, but needed for $*: $(tr '\n' ' ' < "$work/beyond")"
    return 1
  fi
  apt-get -q -y --only-upgrade --no-install-recommends --no-remove -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install "$@"
}

while read -r name version; do
  is_name_and_version "$name $version" && lacking "$name" "$version"
done < "$work/keys" > "$work/lacking" || true
while read -r target; do source_of "$target"; done < "$work/lacking" > "$work/targets"

# Install all at once, because patches may depend on each other. If that fails, install them one by one: a patch that
# cannot be installed must not stop the others.
# shellcheck disable=SC2046 # names and versions contain no spaces
if [ -s "$work/targets" ] && ! install $(cat "$work/targets"); then
  while read -r target; do install "$target" < /dev/null || true; done < "$work/targets"
fi

failed=0
while read -r name version; do
  if ! is_name_and_version "$name $version"; then
    reason="not an apt package"
  elif ! is_installed "$name"; then
    echo "Not needed: $name $version (the package is not installed any more)"
    continue
  else
    reason=$(lacking "$name" "$version" | tr '\n' ' ')
  fi
  if [ -z "$reason" ]; then
    echo "Installed: $name $version"
  else
    printf '%s\n' "NOT installed: $name $version ($reason)"
    failed=1
  fi
done < "$work/keys"
[ "$failed" = 0 ] || exit 1

if [ -e "$sign" ]; then
  echo "A restart is needed: $sign"
  exit 100
fi
# needrestart prints 3 if a newer kernel is installed than the one that runs.
[ -z "${MUSTER_REBOOT_SIGN:-}" ] && command -v needrestart > /dev/null || exit 0
if needrestart -b -k 2> /dev/null | grep -qx 'NEEDRESTART-KSTA: 3'; then
  echo "A restart is needed: a newer kernel is installed."
  exit 100
fi
