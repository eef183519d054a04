#!/bin/sh
# Tries the command line as one file, in a clean Debian without Node, against the service at MUSTER_URL. Needs root,
# mmdebstrap, the file that 'npm run package -- cli' has built, and MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET of a principal
# with the role admin.manage. Prints what it has checked.
set -eu
case "$(uname -m)" in aarch64) architecture=arm64 ;; *) architecture=x64 ;; esac
executable=$(dirname "$0")/../../artifacts/packages/cli/muster-linux-$architecture
: "${MUSTER_URL:=http://127.0.0.1:5057}" "${MUSTER_CLIENT_ID:?}" "${MUSTER_CLIENT_SECRET:?}"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

check() {
  if sh -c "$2"; then echo "ok: $1"; else echo "FAILED: $1" >&2; exit 1; fi
}
home=/home/user
# The environment of a user: no variable of this script, no Node, a home folder.
muster() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME="$home" LANG=C.UTF-8 muster "$@"; }

mmdebstrap --variant=minbase --include=libstdc++6 "${1:-bookworm}" "$root" > /dev/null
cp "$executable" "$root/usr/bin/muster"
mkdir -p "$root$home"
export root home
check 'there is no Node' '! chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin sh -c "command -v node npm"'
muster --version > "$root/version"
check 'it shows its version' 'grep -q "^[0-9]" "$root/version"'
muster rollout start --help > "$root/help"
check 'it shows help with examples' 'grep -q "^Examples:" "$root/help"'
muster completion bash > "$root/completion"
check 'it writes the completion of bash' 'bash -n "$root/completion"'
echo "$MUSTER_CLIENT_SECRET" | muster login "$MUSTER_URL" --client-id "$MUSTER_CLIENT_ID" --secret-stdin
check 'credentials are for their owner only' '[ "$(stat -c %a "$root$home/.config/muster/credentials.json")" = 600 ]'
muster principal create 'Trial' --days 1 --roles admin.manage computer.read group.read package.read pm.read > "$root/principal"
awk '/^Secret/ {print $2}' "$root/principal" |
  muster login "$MUSTER_URL" --client-id "$(awk '/^Client ID/ {print $3}' "$root/principal")" --secret-stdin
muster status > "$root/status"
check 'it creates a principal, and signs in as it' 'grep -q "^Signed in as .*group.read" "$root/status"'
muster groups tree > "$root/groups"
check 'it lists the groups' 'grep -q Configuration "$root/groups"'
muster catalog export "$home/state"
muster catalog plan "$home/state" --prune > "$root/plan"
check 'the exported state is the current one' 'grep -q "^Planned: 0 added, 0 changed, 0 removed" "$root/plan"'
muster sign --new-key "$home/release.key" --no-passphrase
check 'it writes keys' '[ -s "$root$home/release.key" ]'
status=0
muster computer no-such-computer 2> "$root/missing" || status=$?
export status
check 'a name that does not exist is wrong use' '[ "$status" = 2 ] && grep -q no-such-computer "$root/missing"'
