#!/bin/bash
# Tries the Debian package of the service on a clean Debian, which runs with its own systemd in namespaces of this machine.
# It installs, uses, upgrades, downgrades, removes and purges the package, and prints what it has verified.
#
#   tools/try-installation/service.sh artifacts/packages/service/muster_VERSION_ARCHITECTURE.deb [ROOT.tar]
#
# Needs root. Without ROOT.tar, mmdebstrap makes the system from the package sources of this machine. Everything is in a
# temporary folder.
set -Eeuo pipefail

package=$(realpath "$1")
made=${2-}
folder=$(mktemp -d /tmp/muster-try-XXXXXX)
chmod 755 "$folder"
root=$folder/root
system=

finish() {
  # unshare ignores signals. All processes of the system end with its first one.
  [ -z "$system" ] || pkill --signal KILL --parent "$system" || true
  [ -z "$system" ] || wait "$system" 2> /dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'echo "FAILED in line $LINENO: $BASH_COMMAND" >&2' ERR

verified() { echo "ok: $*"; }

# Runs a command in the system.
within() {
  nsenter --target "$(pgrep --parent "$system" | head -1)" --all \
    env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

make_root() {
  mkdir "$root"
  if [ -n "$made" ]; then
    tar --extract --directory "$root" --file "$made"
  else
    find /etc/apt -type f \( -name '*.list' -o -name '*.sources' \) -exec cat {} + |
      mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus,adduser \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" -
  fi
}

start_system() {
  unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child \
    "$(dirname "$0")/boot-system.sh" "$root" > "$folder/boot.log" 2>&1 &
  system=$!
  local attempts=100
  until within systemctl is-system-running 2> /dev/null | grep --quiet --extended-regexp 'running|degraded'; do
    attempts=$((attempts - 1))
    [ $attempts -gt 0 ]
    sleep 0.3
  done
}

install_file() {
  cp "$1" "$root/root/$(basename "$1")"
  within dpkg --install --force-downgrade "/root/$(basename "$1")" > "$folder/dpkg.log" 2>&1
}

# The next version is the same with one more migration.
make_next_version() {
  local next=$folder/next
  dpkg-deb --raw-extract "$package" "$next"
  sed -i 's/^Version: .*/Version: 99.0/' "$next/DEBIAN/control"
  echo 'create table next_version (id int primary key);' > "$next/usr/lib/muster/server/migrations/9999_next_version.sql"
  dpkg-deb --root-owner-group -Znone --build "$next" "$folder/muster_99.0.deb" > /dev/null
  rm -rf "$next"
}

# Calls the API: METHOD PATH [BODY]. Prints the body of the response.
call() {
  within /usr/lib/muster/bin/node --input-type=module --eval '
    const [id, secret, method, path, body] = process.argv.slice(1)
    const address = "http://127.0.0.1:5057"
    const credentials = { grant_type: "client_credentials", client_id: id, client_secret: secret }
    const answer = await fetch(`${address}/api/auth/token`, { method: "POST", body: new URLSearchParams(credentials) })
    const { access_token } = await answer.json()
    const headers = { authorization: `Bearer ${access_token}`, ...(body && { "content-type": "application/json" }) }
    const response = await fetch(address + path, { method, headers, ...(body && { body }) })
    console.log(await response.text())
    process.exit(response.ok ? 0 : 1)
  ' "$client_id" "$client_secret" "$@"
}

property() { within systemctl show --property="$1" --value muster.service; }

until_active() {
  local attempts=200
  until [ "$(property ActiveState)" = active ]; do
    attempts=$((attempts - 1))
    [ $attempts -gt 0 ]
    sleep 0.3
  done
}

make_root
start_system
verified "a clean $(. /etc/os-release && echo "$PRETTY_NAME") runs with systemd, without Node and PostgreSQL"

install_file "$package"
until_active
[ "$(property StatusText)" = 'Listening on http://127.0.0.1:5057' ]
verified "the package of $(du -m "$package" | cut -f1) MB installs with dpkg alone, takes $(du -sm "$root/usr/lib/muster" | cut -f1) MB, and the service reports to systemd that it is ready"

[ "$(within stat -c %U "/proc/$(property MainPID)")" = muster ]
[ "$(within stat -c '%U %a' /etc/muster/credentials/BOOTSTRAP_CLIENT_SECRET)" = 'root 600' ]
within journalctl --unit muster | grep --quiet 'the value of MUSTER_BOOTSTRAP_CLIENT_SECRET'
verified 'the service does not run as root, and takes the secret of the first administrator from a credential'

read -r client_id client_secret < <(within muster-server admin reset --client-id trial 2> /dev/null | awk '{print $3}' | xargs)
call GET /api/service/whoami | grep --quiet trial
call POST /api/admin/local-principals '{"description":"before the upgrade","roles":["computer.read"],"expiresAtUtc":null}' > /dev/null
within muster-server admin link 2> /dev/null | grep --quiet '#link='
within muster-server verify-audit 2> /dev/null
verified 'muster-server resets an administrator, prints a sign-in link and verifies the audit trail; the API accepts a change'

exposure=$(within systemd-analyze security muster.service --no-pager | tail -1)
verified "systemd-analyze: ${exposure#→ }"

within mkdir -p /run/systemd/system/muster.service.d
within sh -c 'printf "[Service]\nWatchdogSec=3\n" > /run/systemd/system/muster.service.d/watchdog.conf'
within systemctl daemon-reload
within systemctl restart muster
hanging=$(property MainPID)
sleep 7
[ "$(property MainPID)" = "$hanging" ]
within sh -c "kill -STOP $hanging"
until [ "$(property NRestarts)" -gt 0 ]; do sleep 0.5; done
until_active
within rm -r /run/systemd/system/muster.service.d
within systemctl daemon-reload
within systemctl restart muster
verified 'the watchdog leaves a service alone that works, and restarts one that does not respond'

within muster-server backup /var/lib/muster/before-upgrade.backup 2> /dev/null
make_next_version
install_file "$folder/muster_99.0.deb"
until_active
call GET '/api/admin/local-principals' | grep --quiet 'before the upgrade'
call POST /api/admin/local-principals '{"description":"after the upgrade","roles":["computer.read"],"expiresAtUtc":null}' > /dev/null
verified 'an upgrade with a migration keeps the data'

install_file "$package" || true
within systemctl stop muster
within muster-server restore --force /var/lib/muster/before-upgrade.backup > "$folder/restore.log" 2>&1 || { cat "$folder/restore.log"; false; }
within systemctl start muster
call GET '/api/admin/local-principals' > "$folder/principals"
grep --quiet 'before the upgrade' "$folder/principals"
! grep --quiet 'after the upgrade' "$folder/principals"
verified 'the previous version runs again after a downgrade, with the backup from before the upgrade'

within dpkg --remove muster > /dev/null 2>&1
[ -e "$root/etc/muster/muster.env" ] && [ -d "$root/var/lib/muster/postgres" ] && [ ! -e "$root/usr/lib/muster" ]
within test ! -e /sys/fs/cgroup/system.slice/muster.service
verified 'a removal stops the service and keeps settings and data'

within dpkg --purge muster > /dev/null 2>&1
for left in /etc/muster /var/lib/muster /var/cache/muster /usr/lib/muster; do [ ! -e "$root$left" ]; done
! within getent passwd muster
verified 'a purge leaves neither files nor the user'
