#!/bin/sh
# What the official image of PostgreSQL does at its start, as far as examples/compose uses it.
set -eu
data=/var/lib/postgresql/data
mkdir -p "$data" /run/postgresql
chown postgres:postgres "$data" /run/postgresql
chmod 700 "$data"
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; }

if [ ! -e "$data/PG_VERSION" ]; then
  cp "$POSTGRES_PASSWORD_FILE" /tmp/password && chown postgres /tmp/password
  as_postgres initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 \
    --auth-local=trust --encoding=UTF8 --locale=C.UTF-8 > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "create database \"$POSTGRES_DB\"" | as_postgres postgres --single -D "$data" postgres > /dev/null
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@" -D "$data" -c 'listen_addresses=*'
