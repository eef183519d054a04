#!/bin/bash
# Tries the first lines of the README in a clean Debian that has nothing but its own Node and npm: `npm install && npm start`,
# as an ordinary user, of what the current commit contains. Prints what it has verified.
#
#   tools/try-installation/clone.sh
#
# Needs root, mmdebstrap and git. Everything is in a temporary folder.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. tools/try-installation/clean-root.sh

folder=$(mktemp -d /tmp/muster-try-XXXXXX)
chmod 755 "$folder"
root=$folder/root
home=$root/home/user
service=
finish() {
  # All processes in the new namespace end with its first one, npm.
  [ -z "$service" ] || kill -KILL "$(first_process "$service")" || true
  [ -z "$service" ] || wait "$service" 2> /dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'echo "FAILED in line $LINENO: $BASH_COMMAND" >&2; tail -n 20 "$folder"/*.log >&2' ERR

# Runs a command in the clean system as the user, in the clone, with processes of its own and the network of this machine.
within() {
  unshare --pid --mount --fork --kill-child --mount-proc="$root/proc" chroot --userspec=1000:1000 "$root" \
    env --ignore-environment HOME=/home/user PATH=/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
    MUSTER_PORT=15057 sh -c "cd /home/user/muster && $1"
}

make_clean_root nodejs,npm,ca-certificates "$root"
# npm trusts what this machine trusts.
cat /etc/ssl/certs/ca-certificates.crt > "$root/etc/ssl/certs/ca-certificates.crt"
cp /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" useradd --uid 1000 --create-home user
git clone --quiet "file://$PWD" "$home/muster"
chown -R 1000:1000 "$home"
verified "a clean $(. "$root/etc/os-release" && echo "$PRETTY_NAME") with Node $(chroot "$root" node --version) and npm $(chroot "$root" npm --version), and no other tools"

within 'npm install --no-audit --no-fund' > "$folder/install.log" 2>&1
verified "npm install needs nothing else; node_modules are $(du -sm "$home/muster/node_modules" | cut -f1) MB"

within 'exec npm start' > "$folder/start.log" 2>&1 &
service=$!
until_true 120 grep 'Ready after' "$folder/start.log"
# Not through a pipe, because grep ends at its first match, and curl fails when nobody reads the rest.
curl --silent --fail --output "$folder/page.html" http://127.0.0.1:15057/
grep --quiet '<script' "$folder/page.html"
grep --quiet '#link=' "$folder/start.log"
# The two commands that the start prints.
eval "$(grep --after-context 2 '  TOKEN=' "$folder/start.log")" > "$folder/whoami.log" 2>&1
grep --quiet admin.manage "$folder/whoami.log"
verified 'npm start serves the console, prints a sign-in link and two commands that work when they are pasted'

kill -TERM "$(first_process "$service")"
wait "$service"
service=
verified 'SIGTERM stops it cleanly'

rm -rf "$home/muster"/*/dist "$home/muster/node_modules" "$home/muster"/*/node_modules
within 'npm install --omit=dev --no-audit --no-fund' > "$folder/install.log" 2>&1
grep --quiet 'Nothing was built' "$folder/install.log"
within 'exec npm start' > "$folder/start.log" 2>&1 &
service=$!
until_true 60 grep 'Ready after' "$folder/start.log"
until_true 30 curl --silent --fail http://127.0.0.1:15057/health/ready
verified "npm install --omit=dev takes $(du -scm "$home/muster/node_modules" "$home"/muster/*/node_modules 2> /dev/null | tail -1 | cut -f1) MB, and the service runs with it"
