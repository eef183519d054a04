#!/bin/bash
# Tries the Debian package of the service for arm64 on a machine of another architecture, with qemu: installs it in a clean
# Debian for arm64, and starts the command of its unit by hand, because systemd does not run there. Prints what it has verified.
#
#   tools/try-installation/service-arm64.sh PACKAGE_arm64.deb
#
# Needs root, mmdebstrap, arch-test, qemu-user-static, curl and a kernel with binfmt_misc, which knows qemu while this runs.
# Everything else is in a temporary folder.
set -Eeuo pipefail
. "$(dirname "$0")/clean-root.sh"

package=$(realpath "$1")
folder=$(mktemp -d /tmp/muster-try-XXXXXX)
chmod 755 "$folder"
root=$folder/root
formats=$folder/formats
port=${MUSTER_TRY_PORT:-15057}
address=http://127.0.0.1:$port
architecture=arm64
# In later releases of Debian, qemu-user itself needs no libraries.
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
service=

finish() {
  # All processes in the new namespace end with its first one.
  [ -z "$service" ] || kill -KILL "$(first_process "$service")" || true
  [ -z "$service" ] || wait "$service" 2> /dev/null || true
  [ ! -e "$formats/muster-try" ] || echo -1 > "$formats/muster-try"
  umount "$formats" || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'echo "FAILED in line $LINENO: $BASH_COMMAND" >&2; tail -n 20 "$folder"/*.log >&2' ERR

# The kernel then runs programs for arm64 with qemu, even in a root that does not contain it (F).
register_qemu() {
  local magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  local mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  mkdir "$formats"
  mount -t binfmt_misc binfmt_misc "$formats"
  echo ":muster-try:M:0:$magic:$mask:$qemu:F" > "$formats/register"
}

# Runs a command in the system, with processes of its own and the network of this machine.
within() {
  unshare --pid --mount --fork --kill-child --mount-proc="$root/proc" chroot "$root" \
    env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

# What the unit does: its command, with its settings, as its user, and the secret as a credential. Each connection to the database
# is a process that qemu slows down, so there are as few as possible.
start_service() {
  install -d "$root/run/muster"
  cp "$root/etc/muster/credentials/BOOTSTRAP_CLIENT_SECRET" "$root/run/muster/MUSTER_BOOTSTRAP_CLIENT_SECRET"
  chroot "$root" chown -R muster /run/muster
  within CREDENTIALS_DIRECTORY=/run/muster MUSTER_DATA_DIR=/var/lib/muster MUSTER_PORT="$port" \
    MUSTER_DATABASE_CONNECTIONS=12 MUSTER_BOOTSTRAP_CLIENT_ID=administrator setpriv --reuid=muster --regid=muster --init-groups -- \
    /usr/lib/muster/bin/node --env-file-if-exists=/etc/muster/muster.env /usr/lib/muster/server/dist/main.js \
    > "$folder/service.log" 2>&1 &
  service=$!
}

has_started() { grep 'Ready after' "$folder/service.log" || not kill -0 "$service"; }

register_qemu
make_clean_root adduser "$root"
cp "$package" "$root/root/muster.deb"
[ "$(within uname -m)" = aarch64 ]
verified "a clean $(. "$root/etc/os-release" && echo "$PRETTY_NAME") for arm64 runs under $("$qemu" --version | head -1)"

within dpkg --install /root/muster.deb > "$folder/dpkg.log" 2>&1
postgres=$(find "$root/usr/lib/muster" -path '*/bin/postgres' | sed "s|^$root||")
verified "the package installs; Node $(within /usr/lib/muster/bin/node --version), $(within "$postgres" --version)"

within muster-server keys create-file /root/key-file > "$folder/keys.log" 2>&1
[ -s "$root/root/key-file" ]
verified 'muster-server runs a command'

began=$SECONDS
start_service
until_true 900 has_started
grep --quiet 'Ready after' "$folder/service.log"
until_true 60 curl --silent --fail "$address/health/ready"
verified "the command of the unit creates its database and becomes ready, in $((SECONDS - began)) s under qemu"

token=$(curl --silent --fail "$address/api/auth/token" --data grant_type=client_credentials --data client_id=administrator \
  --data-urlencode "client_secret=$(cat "$root/etc/muster/credentials/BOOTSTRAP_CLIENT_SECRET")" |
  sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl --silent --fail --header "authorization: Bearer $token" "$address/api/service/whoami" | contains admin.manage
curl --silent --fail "$address/" | contains '<script'
verified 'the API and the console respond, and the administrator gets a token'

kill -TERM "$(first_process "$service")"
wait "$service"
service=
verified 'SIGTERM stops it cleanly'
