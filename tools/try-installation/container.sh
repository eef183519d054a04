#!/bin/bash
# Tries the container image of the service from nothing: makes base images, builds the image with its Containerfile, and
# runs it with a read-only root file system and without any privilege. Prints what it has verified.
#
#   tools/try-installation/container.sh
#
# Needs root, podman, netavark, mmdebstrap, curl and openssl. Everything is in a temporary folder.
# In a container or another place without cgroups, set MUSTER_TRY_CGROUPS=disabled (see images.sh).
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. tools/try-installation/clean-root.sh
. tools/try-installation/images.sh
respect_cgroups

folder=$(mktemp -d /tmp/muster-try-XXXXXX)
port=${MUSTER_TRY_PORT:-15443}
finish() {
  remove_containers
  rm -rf "$folder"
}
trap finish EXIT
trap 'echo "FAILED in line $LINENO: $BASH_COMMAND" >&2; podman logs muster 2>&1 | tail -20' ERR

run_service() {
  podman run --detach --name muster --read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp \
    --network "${MUSTER_TRY_NETWORK:-host}" --env MUSTER_HOST=127.0.0.1 --env MUSTER_TLS_PORT="$port" \
    --env MUSTER_TLS_CERT=/run/secrets/certificate.pem --env MUSTER_TLS_KEY=/run/secrets/key.pem \
    --env MUSTER_BOOTSTRAP_CLIENT_ID=administrator \
    --volume "$folder/secrets:/run/secrets:ro" --volume data:/var/lib/muster localhost/muster > /dev/null
}

state() { podman inspect --format "{{.State.$1}}" muster; }
is_healthy() { podman healthcheck run muster && [ "$(state Healthcheck.Status)" = healthy ]; }
is_logged() {
  podman logs muster > "$folder/log" 2>&1
  grep --quiet "$1" "$folder/log"
}
ask() { curl --silent --show-error --fail --cacert "$folder/secrets/certificate.pem" "$@"; }
address=https://localhost:$port

use_own_storage
mkdir "$folder/secrets"
make_certificate "$folder/secrets/certificate.pem" "$folder/secrets/key.pem"
openssl rand -hex 24 > "$folder/secrets/MUSTER_BOOTSTRAP_CLIENT_SECRET"
chmod 644 "$folder"/secrets/*
secret=$(cat "$folder/secrets/MUSTER_BOOTSTRAP_CLIENT_SECRET")

make_base_images
build_image > /dev/null
size=$(($(podman image inspect --format '{{.Size}}' localhost/muster) / 1000000))
base=$(($(podman image inspect --format '{{.Size}}' localhost/try-base) / 1000000))
verified "the Containerfile builds an image of $size MB, of which $base MB are a minimal Debian"

run_service
not is_healthy
until_true 60 is_healthy
verified 'the container starts with a read-only root file system and without capabilities, and becomes healthy'

[ "$(podman exec muster id -u)" = 10001 ]
[ "$(awk '/^CapEff/ {print $2}' "/proc/$(state Pid)/status")" = 0000000000000000 ]
not podman exec muster touch /usr/lib/muster/written 2> /dev/null
is_logged 'the value of MUSTER_BOOTSTRAP_CLIENT_SECRET'
not is_logged "$secret"
verified 'the service is user 10001, cannot change its program, and reads its secret from a file without printing it'

session=$(ask --header 'content-type: application/json' --header "origin: $address" --cookie-jar "$folder/cookies" \
  --data "{\"clientId\":\"administrator\",\"clientSecret\":\"$secret\"}" "$address/admin/session")
grep --quiet csrfToken <<< "$session"
ask --cookie "$folder/cookies" "$address/admin/session" | contains '"displayName"'
ask "$address/" | contains '<script'
token=$(ask "$address/api/auth/token" --data grant_type=client_credentials --data client_id=administrator \
  --data "client_secret=$secret" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
ask --header "authorization: Bearer $token" --header 'content-type: application/json' "$address/api/admin/local-principals" \
  --data '{"description":"before the restart","roles":["computer.read"],"expiresAtUtc":null}' > /dev/null
verified 'the console and the API are served over HTTPS, and the administrator can sign in to both'

podman exec muster muster-server verify-audit > /dev/null
podman exec muster muster-server backup /var/lib/muster/trial.backup > /dev/null
podman exec muster test -s /var/lib/muster/trial.backup
verified 'muster-server works in the container'

authorized() { ask --header "authorization: Bearer $token" --header 'content-type: application/json' "$@"; }
# Prints the value of a property, of which there is only one in the JSON that it reads.
read_json() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }
created=$(authorized "$address/api/admin/local-principals" --data '{"description":"first steps","expiresAtUtc":null,
  "roles":["admin.manage","computer.read","package.read","package.write"]}')
token=$(ask "$address/api/auth/token" --data grant_type=client_credentials --data client_id="$(read_json clientId <<< "$created")" \
  --data-urlencode client_secret="$(read_json plaintextKey <<< "$created")" | read_json access_token)
overview=$(authorized "$address/api/fleet/overview")
podman exec muster sh -c "$(read_json copyExample <<< "$overview")"
authorized "$address/api/packages/import" --data '{"folderPath":"greeting","overwrite":false}' > /dev/null
has_package() { authorized "$address/api/fleet/overview" | contains '"hasPackage":true'; }
until_true 30 has_package
podman exec muster sh -c "$(read_json backUp <<< "$overview")" > /dev/null
podman exec muster test -s /var/lib/muster/muster.backup
verified 'the commands that the first steps of the console show work in the container'

began=$SECONDS
podman stop --time 20 muster > /dev/null
[ "$(state ExitCode)" = 0 ]
is_logged 'SIGTERM: stopping'
verified "SIGTERM stops the service cleanly within $((SECONDS - began + 1)) s"

podman rm muster > /dev/null
run_service
until_true 60 is_healthy
is_logged 'up to date'
ask --header "authorization: Bearer $token" "$address/api/admin/local-principals" | contains 'before the restart'
verified 'another container continues with the data in the volume'

podman rm --force --time 20 muster > /dev/null
eval "$(grep '^podman run ' README.md)" > /dev/null
until_true 60 curl --silent --fail http://127.0.0.1:5057/health/ready
until_true 10 is_logged '  TOKEN='
not is_logged '#link='
# The two commands that the start prints.
eval "$(grep --after-context 2 '  TOKEN=' "$folder/log")" > "$folder/whoami" 2>&1
grep --quiet admin.manage "$folder/whoami"
verified 'the line of the README starts a container, whose log has the first administrator and two commands that work'
