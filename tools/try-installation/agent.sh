#!/bin/sh
# Tries the Debian package of the agent in a clean Debian: install, configuration, upgrade, removal and purge.
# Needs root, mmdebstrap and the packages that 'npm run package' has built. Prints what it has checked.
set -eu
deb=$(ls "$(dirname "$0")"/../../artifacts/packages/agent/muster-agent_*_"$(dpkg --print-architecture)".deb)
root=$(mktemp -d)
trap 'umount "$root/proc" 2> /dev/null; rm -rf "$root"' EXIT

check() {
  if sh -c "$2"; then echo "ok: $1"; else echo "FAILED: $1" >&2; exit 1; fi
}
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

mmdebstrap --variant=minbase "${1:-bookworm}" "$root" > /dev/null
mount -t proc proc "$root/proc"
export root
cp "$deb" "$root/muster-agent.deb"
inside apt-get install -y --no-install-recommends ./muster-agent.deb > "$root/install.log" 2>&1
check 'the package needs nothing beyond a minimal system' 'grep -q " 1 newly installed" "$root/install.log"'
check 'the agent runs' 'chroot "$root" /usr/bin/env -i /usr/bin/muster-agent --version'
check 'the configuration can be read by root only' '[ "$(stat -c %a "$root/etc/muster-agent/agent.env")" = 600 ]'
check 'nothing is enrolled, and there is no state' '[ ! -e "$root/var/lib/muster-agent/identity.json" ]'
echo 'MUSTER_AGENT_NAME=kept' >> "$root/etc/muster-agent/agent.env"
inside dpkg -i /muster-agent.deb > /dev/null
check 'an installation over the first keeps a changed configuration' 'grep -q kept "$root/etc/muster-agent/agent.env"'
inside muster-agent status > /dev/null
check 'the state folder is for root only' '[ "$(stat -c %a "$root/var/lib/muster-agent")" = 700 ]'
inside dpkg --remove muster-agent > /dev/null
check 'a removal keeps the configuration and the state' '[ -e "$root/etc/muster-agent/agent.env" ] && [ -d "$root/var/lib/muster-agent" ]'
inside dpkg --purge muster-agent > /dev/null
check 'a purge leaves nothing' '! find "$root/etc" "$root/usr" "$root/var/lib" -name "muster-agent*" -not -path "*/dpkg/*" | grep .'
