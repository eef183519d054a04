/** Recorded from apt 2.6.1 on Debian 12, with LC_ALL=C. */
export const policyText = `bash:
  Installed: 5.2.15-2+b8
  Candidate: 5.2.15-2+b13
  Version table:
     5.2.15-2+b13 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
 *** 5.2.15-2+b8 100
        100 /var/lib/dpkg/status
libgcrypt20:
  Installed: 1.10.1-3
  Candidate: 1.10.1-3+deb12u1
  Version table:
     1.10.1-3+deb12u1 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
        500 http://deb.debian.org/debian-security bookworm-security/main amd64 Packages
 *** 1.10.1-3 100
        100 /var/lib/dpkg/status
adduser:
  Installed: 3.134
  Candidate: 3.134
  Version table:
 *** 3.134 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
        100 /var/lib/dpkg/status
openssl:
  Installed: 3.0.19-1~deb12u2
  Candidate: 3.0.22-1~deb12u2
  Version table:
     3.0.22-1~deb12u2 500
        500 http://deb.debian.org/debian-security bookworm-security/main amd64 Packages
     3.0.20-1~deb12u2 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
 *** 3.0.19-1~deb12u2 100
        100 /var/lib/dpkg/status
     3.0.17-1~deb12u2 500
        500 http://deb.debian.org/debian bookworm-updates/main amd64 Packages
`

export const packagesText = [
  'installed\tbash\tbash\t5.2.15-2',
  'installed\tlibgcrypt20:amd64\tlibgcrypt20\t1.10.1-3',
  'config-files\tnano\tnano\t7.2-1',
  'installed\tadduser\tadduser\t3.134',
  'installed\topenssl\topenssl\t3.0.19-1~deb12u2',
  '',
].join('\n')

export const folders = "status='/var/lib/dpkg/status'\nlists='/var/lib/apt/lists/'\n"

export const showText = `Package: libgcrypt20
Version: 1.10.1-3+deb12u1
Architecture: amd64
Description: LGPL Crypto library - runtime library
Filename: pool/main/libg/libgcrypt20/libgcrypt20_1.10.1-3+deb12u1_amd64.deb
Size: 696204

Package: bash
Source: bash (5.2.15-2)
Version: 5.2.15-2+b13
Architecture: amd64
Installed-Size: 7164
Size: 1491456
`
