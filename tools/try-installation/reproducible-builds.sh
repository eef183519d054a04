#!/bin/sh
# Builds packages twice from the last commit, in different folders and with a different umask, time zone, language and
# number of threads, and compares all files. Prints their SHA-256. Without arguments, it builds those of the agent.
#
#   tools/try-installation/reproducible-builds.sh [PRODUCT...]
set -eu
repository=$(realpath "$(dirname "$0")/../..")
SOURCE_DATE_EPOCH=$(git -C "$repository" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
products=${*:-agent}
if [ $# = 0 ] && command -v wixl > /dev/null && command -v msibuild > /dev/null; then products='agent agent-windows'; fi

# build FOLDER SETTING...
build() {
  copy=$folder/$1
  shift
  mkdir -p "$copy"
  git -C "$repository" archive HEAD | tar -x -C "$copy"
  for modules in "$repository"/node_modules "$repository"/*/node_modules; do
    if [ -d "$modules" ]; then ln -s "$modules" "$copy/${modules#"$repository"/}"; fi
  done
  (cd "$copy" && env "$@" node_modules/.bin/node tools/package/main.ts $products > /dev/null)
  (cd "$copy/artifacts/packages" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

umask 022
build one TZ=UTC LC_ALL=C DPKG_DEB_THREADS_MAX=1 > "$folder/first"
umask 077
build another/folder/with-a-longer-name TZ=Asia/Tokyo LC_ALL=C.UTF-8 DPKG_DEB_THREADS_MAX=2 > "$folder/second"
cat "$folder/first"
if cmp -s "$folder/first" "$folder/second"; then
  echo "ok: both builds of $(git -C "$repository" log -1 --format=%h) have the same $(wc -l < "$folder/first") files"
else
  diff "$folder/first" "$folder/second" >&2
  echo 'FAILED: the builds differ' >&2
  exit 1
fi
