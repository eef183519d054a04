#!/bin/bash
# Tries the examples in examples/compose: the service with a PostgreSQL, and the cluster, of which it ends a node.
# The images of PostgreSQL and HAProxy are made of Debian's packages. Prints what it has verified.
#
#   tools/try-installation/compose.sh
#
# Needs root, podman, podman-compose, netavark, aardvark-dns, catatonit, mmdebstrap, curl and openssl. Everything is in a temporary folder.
# In a container or another place without cgroups, set MUSTER_TRY_CGROUPS=disabled (see images.sh).
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. tools/try-installation/clean-root.sh
. tools/try-installation/images.sh
respect_cgroups

folder=$(mktemp -d /tmp/muster-try-XXXXXX)
example=$folder/compose
finish() {
  remove_containers
  rm -rf "$folder"
}
trap finish EXIT
trap 'echo "FAILED in line $LINENO: $BASH_COMMAND" >&2; tail -20 "$folder/up.log" >&2' ERR

# Images with the names and the interface of those that the examples use, as far as the examples use it.
make_other_images() {
  make_clean_root postgresql-17,util-linux - | podman import --quiet - localhost/try-postgres
  podman build --quiet --tag docker.io/library/postgres:17 --file - tools/try-installation/postgres << 'END' > /dev/null
FROM localhost/try-postgres
COPY --chmod=0755 entrypoint.sh /entrypoint.sh
ENV PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENTRYPOINT ["/entrypoint.sh"]
CMD ["postgres"]
END
  make_clean_root haproxy - |
    podman import --quiet --change 'CMD ["haproxy","-db","-f","/usr/local/etc/haproxy/haproxy.cfg"]' \
      - docker.io/library/haproxy:3.0 > /dev/null
}

compose() { (cd "$example" && podman-compose --file "$@"); }
ask() { curl --silent --show-error --fail --max-time 10 --cacert "$example/secrets/certificate.pem" "$@"; }
address=https://localhost:5443
is_ready() { ask "$address/health/ready"; }
get_token() {
  ask "$address/api/auth/token" --data grant_type=client_credentials --data client_id=administrator \
    --data "client_secret=$(cat "$example/secrets/administrator-secret")" | sed 's/.*"access_token":"\([^"]*\)".*/\1/'
}
whoami() { ask --header "authorization: Bearer $1" "$address/api/service/whoami"; }

use_own_storage
make_base_images
build_image > /dev/null
make_other_images
cp -r examples/compose "$example"
# Not everybody may raise the limit of open files, and this trial needs few.
sed -i '/^ *ulimits:$/,+1d' "$example"/*.yaml
"$example/create-secrets.sh"

compose compose.yaml up --detach > "$folder/up.log" 2>&1
until_true 90 is_ready
whoami "$(get_token)" | contains administrator
verified 'compose.yaml: service and PostgreSQL start, and the administrator gets a token over HTTPS'
compose compose.yaml down > "$folder/down.log" 2>&1
compose compose.yaml up --detach > "$folder/up.log" 2>&1
until_true 90 is_ready
verified 'compose.yaml: stopped, and started again on the same database'
compose compose.yaml down --volumes > "$folder/down.log" 2>&1

compose cluster.yaml up --detach > "$folder/up.log" 2>&1
until_true 120 is_ready
token=$(get_token)
node=$(podman ps --format '{{.Names}}' | grep node-one)
both_serve() { for _ in 1 2 3 4 5 6; do whoami "$token"; done; }
both_serve > /dev/null
verified 'cluster.yaml: two nodes, HAProxy and PostgreSQL start, and a token of one node is valid on all'
podman exec "$node" sh -c 'mkdir /var/lib/muster/packages/shared'
podman exec "${node/one/two}" test -d /var/lib/muster/packages/shared
verified 'cluster.yaml: the nodes share the package store'
podman kill "$node" > /dev/null
until_true 5 both_serve
whoami "$token" | contains administrator
verified 'cluster.yaml: the service goes on without a node that was killed'
compose cluster.yaml down --volumes > "$folder/down.log" 2>&1
