# Sourced by the scripts beside it.

# The release of Debian in which they try things, and where its packages come from.
suite=${MUSTER_TRY_SUITE:-trixie}
mirror=${MUSTER_TRY_MIRROR:-http://deb.debian.org/debian}

# Makes a minimal Debian with these packages: PACKAGES,… FOLDER. With `-` instead of a folder, writes an archive of it.
# MUSTER_TRY_CACHE names a folder in which archives are kept for the next time. It is for this machine, unless the script sets
# another architecture.
make_clean_root() {
  local architecture=${architecture:-$(dpkg --print-architecture)}
  local archive=${MUSTER_TRY_CACHE:-$folder}/$suite-$architecture-$1.tar
  if [ ! -e "$archive" ]; then
    mmdebstrap --quiet --variant=minbase --format=tar --architectures="$architecture" --include="$1" \
      "$suite" "$archive.incomplete" "$mirror"
    mv "$archive.incomplete" "$archive"
  fi
  if [ "$2" = - ]; then
    cat "$archive"
  else
    mkdir "$2"
    tar --extract --directory "$2" --file "$archive"
  fi
}

verified() { echo "ok: $*"; }

# Fails if the command succeeds. After a plain `!`, the shell ignores the result.
not() { ! "$@"; }

# Succeeds if its input contains a line with this pattern. Unlike `grep --quiet`, it reads all of the input: the program before it
# fails if nobody reads the rest.
contains() {
  local input
  input=$(cat)
  grep --quiet "$1" <<< "$input"
}

# Repeats a command until it succeeds, for SECONDS: until_true SECONDS COMMAND…
until_true() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    if [ $SECONDS -ge $deadline ]; then
      echo "This did not succeed in time: $*" >&2
      return 1
    fi
    sleep 0.3
  done
}

# The first process of the namespace of a background job that runs `unshare --fork`: JOB. unshare is between the two.
first_process() { pgrep --parent "$(pgrep --parent "$1")"; }

# Makes a certificate for localhost that is signed by itself: CERTIFICATE KEY
make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=localhost" \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -out "$1" -keyout "$2" 2> /dev/null
}
