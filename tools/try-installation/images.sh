# Sourced by the scripts that try containers, after clean-root.sh. Makes the images that they need with mmdebstrap so that
# no registry is asked, in a storage of their own below $folder, which the scripts delete.

# Where containers cannot have cgroups of their own, set MUSTER_TRY_CGROUPS=disabled. The images are then built without
# containers. Runtimes refuse a machine that has cgroups of both versions, so there the script starts again in a mount
# namespace with version 2 only.
respect_cgroups() {
  [ "${MUSTER_TRY_CGROUPS-}" = disabled ] || return 0
  export BUILDAH_ISOLATION=chroot
  [ "$(stat --file-system --format %T /sys/fs/cgroup)" != cgroup2fs ] || return 0
  exec unshare --mount sh -c 'umount --recursive /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec "$0"' \
    "tools/try-installation/$(basename "$0")"
}

# Everything that Podman stores is below $folder.
use_own_storage() {
  export CONTAINERS_STORAGE_CONF=$folder/storage.conf CONTAINERS_CONF=$folder/containers.conf
  cat > "$CONTAINERS_STORAGE_CONF" << END
[storage]
driver = "overlay"
runroot = "$folder/run"
graphroot = "$folder/storage"
END
  cat > "$CONTAINERS_CONF" << END
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=16384:16384"]
cgroups = "${MUSTER_TRY_CGROUPS:-enabled}"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
END
}

# What the Containerfile starts from: a Debian, and the same with Node and npm.
make_base_images() {
  make_clean_root passwd,libstdc++6 - | podman import --quiet - localhost/try-base
  make_clean_root nodejs,npm,ca-certificates "$folder/build-root"
  # npm trusts what this machine trusts.
  cat /etc/ssl/certs/ca-certificates.crt > "$folder/build-root/etc/ssl/certs/ca-certificates.crt"
  tar --create --directory "$folder/build-root" . |
    podman import --quiet --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - localhost/try-build
  rm -rf "$folder/build-root"
}

# Builds the image with the Containerfile of the repository.
build_image() {
  podman build --quiet --format docker --network host \
    --build-arg BASE_IMAGE=localhost/try-base --build-arg BUILD_IMAGE=localhost/try-build \
    --tag localhost/muster:latest --file tools/package/container/Containerfile .
}

remove_containers() {
  podman rm --all --force --time 0 > /dev/null 2>&1 || true
  podman pod rm --all --force > /dev/null 2>&1 || true
  podman volume prune --force > /dev/null 2>&1 || true
  podman network prune --force > /dev/null 2>&1 || true
}
