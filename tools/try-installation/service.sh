#!/bin/bash
# Tries the Debian package of the service on a clean Debian, which runs with its own systemd in namespaces of this machine.
# It installs, uses, upgrades, downgrades, removes and purges the package, and prints what it has verified.
#
#   tools/try-installation/service.sh PACKAGE.deb [PREVIOUS.deb]
#
# The upgrade is from PREVIOUS.deb to PACKAGE.deb. Without PREVIOUS.deb, it is from PACKAGE.deb to the same with one more
# migration. Needs root, mmdebstrap and openssl. Everything is in a temporary folder.
set -Eeuo pipefail
. "$(dirname "$0")/clean-root.sh"

package=$(realpath "$1")
previous=$([ -z "${2-}" ] || realpath "$2")
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
trap 'echo "FAILED in line $LINENO: $BASH_COMMAND" >&2; within journalctl --unit muster --lines 20 >&2' ERR

# Runs a command in the system.
within() {
  nsenter --target "$(pgrep --parent "$system" | head -1)" --all \
    env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

start_system() {
  unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child \
    "$(dirname "$0")/boot-system.sh" "$root" > "$folder/boot.log" 2>&1 &
  system=$!
  until_true 180 is_running
}

# systemctl fails for a system that is degraded: some units of Debian do not work in namespaces.
is_running() {
  local state
  state=$(within systemctl is-system-running 2> /dev/null) || true
  [ "$state" = running ] || [ "$state" = degraded ]
}

# The system has no network, so apt can download nothing.
apt_get() { within apt-get --yes "$@" > "$folder/apt.log" 2>&1 || { cat "$folder/apt.log" >&2; false; }; }

install_file() {
  cp "$1" "$root/root/$(basename "$1")"
  apt_get install --allow-downgrades "/root/$(basename "$1")"
}

# Makes FILE, a later version of the package: the same with one more migration.
make_next_version() {
  local next=$folder/next
  dpkg-deb --raw-extract "$package" "$next"
  sed -i 's/^Version: .*/Version: 99.0/' "$next/DEBIAN/control"
  echo 'create table next_version (id int primary key);' > "$next/usr/lib/muster/server/migrations/9999_next_version.sql"
  dpkg-deb --root-owner-group -Znone --build "$next" "$1" > /dev/null
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

# Prints a property of the JSON that it reads: NAME or NAME.NAME.
read_json() {
  within /usr/lib/muster/bin/node --eval '
    let value = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
    for (const name of process.argv[1].split(".")) value = value[name]
    console.log(value)' "$1"
}

# Runs a command that the first steps of the console show, as root and in a folder of no importance.
run_shown() { within sh -c "cd /root && $(call GET /api/fleet/overview | read_json "steps.commands.$1")"; }

has_step() { [ "$(call GET /api/fleet/overview | read_json "steps.$1")" = true ]; }

property() { within systemctl show --property="$1" --value muster.service; }

is_active() { [ "$(property ActiveState)" = active ]; }
until_active() { until_true 180 is_active; }

# The fingerprint of the certificate that the service shows.
shown_certificate() {
  within /usr/lib/muster/bin/node --input-type=module --eval '
    import { connect } from "node:tls"
    const socket = connect({ host: "127.0.0.1", port: 5443, rejectUnauthorized: false }, () => {
      console.log(socket.getPeerCertificate().fingerprint256)
      socket.end()
    })'
}

shows_certificate() { [ "$(shown_certificate)" = "$(openssl x509 -in "$1" -noout -fingerprint -sha256 | cut -d= -f2)" ]; }

count_migrations() { find "$root/usr/lib/muster/server/migrations" -name '*.sql' | wc -l; }

refuses_database() { within journalctl --unit muster --since -60s | contains 'Muster cannot start: .*newer'; }

install_certificate() {
  make_certificate "$folder/certificate.pem" "$folder/key.pem"
  install -D -m 644 "$folder/certificate.pem" "$root/etc/muster/tls/certificate.pem"
  install -m 644 "$folder/key.pem" "$root/etc/muster/tls/key.pem"
}

from=$package to=$package
if [ -n "$previous" ]; then
  from=$previous
else
  to=$folder/muster_99.0.deb
  make_next_version "$to"
fi

make_clean_root systemd,systemd-sysv,dbus,adduser "$root"
start_system
verified "a clean $(. "$root/etc/os-release" && echo "$PRETTY_NAME") runs with systemd, without Node and PostgreSQL"

install_file "$from"
until_active
[ "$(property StatusText)" = 'Listening on http://127.0.0.1:5057' ]
verified "the package of $(du -m "$from" | cut -f1) MB installs with apt and nothing else, takes $(du -sm "$root/usr/lib/muster" | cut -f1) MB, and the service reports to systemd that it is ready"

[ "$(within stat -c %U "/proc/$(property MainPID)")" = muster ]
[ "$(within stat -c '%U %a' /etc/muster/credentials/BOOTSTRAP_CLIENT_SECRET)" = 'root 600' ]
within journalctl --unit muster | contains 'the value of MUSTER_BOOTSTRAP_CLIENT_SECRET'
verified 'the service does not run as root, and takes the secret of the first administrator from a credential'

read -r client_id client_secret < <(within muster-server admin reset --client-id trial 2> /dev/null | awk '{print $3}' | xargs)
call GET /api/service/whoami | contains trial
call POST /api/admin/local-principals '{"description":"before the upgrade","roles":["computer.read"],"expiresAtUtc":null}' > /dev/null
within muster-server admin link 2> /dev/null | contains '#link='
within muster-server verify-audit 2> /dev/null
verified 'muster-server resets an administrator, prints a sign-in link and verifies the audit trail; the API accepts a change'

created=$(call POST /api/admin/local-principals '{"description":"first steps","expiresAtUtc":null,
  "roles":["admin.manage","computer.read","package.read","package.write"]}')
client_id=$(read_json clientId <<< "$created")
client_secret=$(read_json plaintextKey <<< "$created")
run_shown copyExample
call POST /api/packages/import '{"folderPath":"greeting","overwrite":false}' > /dev/null
until_true 30 has_step hasPackage
run_shown backUp 2> /dev/null
[ "$(within stat -c '%U %a' /var/lib/muster/muster.backup)" = 'muster 600' ]
echo '[{"name":"trial","displayName":"Trial","issuer":"https://login.invalid","clientId":"muster"}]' > "$root/root/providers.json"
run_shown useProviders
until_active
has_step hasIdentityProvider
within rm /etc/muster/credentials/OIDC_PROVIDERS_FILE
within systemctl restart muster
until_active
verified 'the commands that the first steps of the console show work: the example is imported, the backup written, a provider used'

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

install_certificate
echo 'MUSTER_TLS_CERT=/etc/muster/tls/certificate.pem
MUSTER_TLS_KEY=/etc/muster/tls/key.pem
MUSTER_PLAIN_HTTP=on' >> "$root/etc/muster/muster.env"
within systemctl restart muster
shows_certificate "$folder/certificate.pem"

within muster-server backup /var/lib/muster/before-upgrade.backup 2> /dev/null
before=$(count_migrations)
install_file "$to"
until_active
after=$(count_migrations)
[ "$after" -gt "$before" ]
call GET '/api/admin/local-principals' | contains 'before the upgrade'
call POST /api/admin/local-principals '{"description":"after the upgrade","roles":["computer.read"],"expiresAtUtc":null}' > /dev/null
grep --quiet MUSTER_TLS_CERT "$root/etc/muster/muster.env"
verified "an upgrade from $before to $after migrations keeps data and settings"

running=$(property MainPID)
install_certificate
not shows_certificate "$folder/certificate.pem"
within systemctl reload muster
until_true 10 shows_certificate "$folder/certificate.pem"
[ "$(property MainPID)" = "$running" ]
verified 'systemctl reload loads a new certificate, and the service goes on'

# As certbot stores it: only root can enter the folder and read the key.
chmod 700 "$root/etc/muster/tls"
chmod 600 "$root/etc/muster/tls/key.pem"
within systemctl restart muster
shows_certificate "$folder/certificate.pem"
running=$(property MainPID)
install_certificate
chmod 600 "$root/etc/muster/tls/key.pem"
within systemctl start muster-certificate.service
until_true 10 shows_certificate "$folder/certificate.pem"
[ "$(property MainPID)" = "$running" ]
[ "$(within stat -c '%U:%G %a' /run/muster-tls/MUSTER_TLS_KEY)" = 'root:muster 440' ]
within systemctl is-enabled --quiet muster-certificate.timer
verified 'a private key that only root can read is used, and renewed ones are picked up without a restart'

mv "$root/etc/muster/tls/key.pem" "$folder/key-away.pem"
not within systemctl restart muster
sleep 5
[ "$(property ActiveState)" = failed ]
within journalctl --unit muster --since -60s | contains 'Muster cannot start: The user muster may not read /etc/muster/tls/key.pem'
mv "$folder/key-away.pem" "$root/etc/muster/tls/key.pem"
within systemctl start muster
until_active
within muster-server admin link 2> /dev/null | contains '^https://.*#link='
chmod 755 "$root/etc/muster/tls"
chmod 644 "$root/etc/muster/tls/key.pem"
verified 'without its private key, the service says so once and does not restart; with TLS, a sign-in link works from elsewhere'

install_file "$from"
until_true 30 refuses_database
within systemctl stop muster
within muster-server restore --force /var/lib/muster/before-upgrade.backup > "$folder/restore.log" 2>&1 || { cat "$folder/restore.log"; false; }
within systemctl start muster
call GET '/api/admin/local-principals' > "$folder/principals"
grep --quiet 'before the upgrade' "$folder/principals"
not grep --quiet 'after the upgrade' "$folder/principals"
[ "$(count_migrations)" = "$before" ]
verified 'the previous version refuses the newer database, and runs again after a downgrade, with the backup from before the upgrade'

apt_get remove muster
[ -e "$root/etc/muster/muster.env" ] && [ -d "$root/var/lib/muster/postgres" ] && [ ! -e "$root/usr/lib/muster" ]
within test ! -e /sys/fs/cgroup/system.slice/muster.service
verified 'a removal stops the service and keeps settings and data'

apt_get purge muster
for left in /etc/muster /var/lib/muster /var/cache/muster /usr/lib/muster; do [ ! -e "$root$left" ]; done
not within getent passwd muster
verified 'a purge leaves neither files nor the user'
