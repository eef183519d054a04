#!/bin/sh
# Creates the secrets of compose.yaml and cluster.yaml in the folder `secrets`, unless they exist, with a certificate that
# is signed by itself, for the given name. Replace it by one that your agents trust.
set -eu
name=${1:-muster.example.org}
cd "$(dirname "$0")"

# Nobody else can enter the folder. The files themselves are readable for the users in the containers.
mkdir -p secrets
chmod 700 secrets
cd secrets
umask 022

[ -e database-password ] || openssl rand -hex 24 > database-password
[ -e database-url ] || echo "postgres://muster:$(cat database-password)@postgres/muster" > database-url
[ -e administrator-secret ] || openssl rand -hex 24 > administrator-secret
[ -e certificate.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$name" \
  -addext "subjectAltName=DNS:$name,DNS:localhost" -keyout certificate.pem.key -out certificate.pem 2> /dev/null
chmod 644 ./*
