import { expect, test } from 'vitest'
import { parsePackageUrl } from '../../src/features/patches/components/package-url.ts'
import {
  findPlatformByCpe,
  findPlatformByName,
  findPlatformByPackage,
} from '../../src/features/patches/components/platforms.ts'

test.each([
  ['Debian GNU/Linux 12', 'debian-12'],
  ['Debian 12 (bookworm)', 'debian-12'],
  ['Debian bookworm', 'debian-12'],
  ['Ubuntu 24.04', 'ubuntu-24.04'],
  ['Ubuntu 22.04.4 LTS', 'ubuntu-22.04'],
  ['Red Hat Enterprise Linux 9.5', 'redhat-9'],
  ['Rocky Linux 9.4', 'rocky-9'],
  ['Rocky Linux from CIQ 8.9', 'ciq-8'],
  ['openSUSE Leap 15.6', 'opensuse-leap-15.6'],
  ['CIQ LTS for Rocky Linux 8.6', undefined],
  ['Windows 11 24H2', undefined],
  ['openssl 3.0.16-1', undefined],
])('the product %s is the platform %s', (name, key) => {
  expect(findPlatformByName(name)?.key).toBe(key)
})

test.each([
  ['cpe:/o:redhat:enterprise_linux:9::baseos', 'redhat-9'],
  ['cpe:/a:redhat:enterprise_linux:8::appstream', 'redhat-8'],
  ['cpe:2.3:o:canonical:ubuntu_linux:22.04:*:*:*:lts:*:*:*', 'ubuntu-22.04'],
  ['cpe:2.3:o:debian:debian_linux:12.0:*:*:*:*:*:*:*', 'debian-12'],
  ['cpe:/o:redhat:rhel_eus:9.2::baseos', undefined],
  ['cpe:/o:microsoft:windows_11', undefined],
  ['nonsense', undefined],
])('the CPE name %s is the platform %s', (cpe, key) => {
  expect(findPlatformByCpe(cpe)?.key).toBe(key)
})

test.each([
  ['pkg:deb/debian/openssl@3.0.16-1~deb12u1?arch=source&distro=debian-12.5', 'debian-12', '3.0.16-1~deb12u1'],
  ['pkg:deb/debian/openssl@3.0.16-1~deb12u1', 'debian-12', '3.0.16-1~deb12u1'],
  ['pkg:deb/ubuntu/curl@1%3A7.81.0-1%2Bx?distro=jammy', 'ubuntu-22.04', '1:7.81.0-1+x'],
  ['pkg:deb/debian/curl@7.88.1-10', 'debian', '7.88.1-10'],
  ['pkg:rpm/redhat/openssl@3.0.7-27.el9?arch=x86_64&epoch=1', 'redhat-9', '1:3.0.7-27.el9'],
  ['pkg:rpm/redhat/openssl@3.0.7-16.el9_2.1?arch=x86_64', 'redhat', '3.0.7-16.el9_2.1'],
  ['pkg:rpm/rocky-linux/squid@5.5-6?distro=rocky-linux-9', 'rocky-9', '5.5-6'],
  ['pkg:rpm/unknown/squid@5.5-6?distro=unknown-9', undefined, '5.5-6'],
])('the package %s belongs to the platform %s and has the version %s', (url, key, version) => {
  const parsed = parsePackageUrl(url)

  expect(parsed?.version).toBe(version)
  expect(findPlatformByPackage(parsed?.namespace ?? '', parsed?.distro ?? '', version)?.key).toBe(key)
})

test.each(['pkg:npm/left-pad@1.0.0', 'pkg:rpm/redhat/kernel?arch=src', 'openssl 3.0.16', ''])(
  'the text "%s" names no package of a distribution in a version',
  (text) => {
    expect(parsePackageUrl(text)).toBeUndefined()
  },
)
