import { expect, test } from 'vitest'
import { parsePolicies, updateOf } from '../../src/platform/linux/patches/policy.ts'
import { policyText } from './recorded.ts'

const updates = (text: string) =>
  Object.fromEntries([...parsePolicies(text)].map(([name, policy]) => [name, updateOf(policy)]))

test('the candidate of apt is an update, and a security update if it comes from a security suite', () => {
  expect(updates(policyText)).toEqual({
    bash: { version: '5.2.15-2+b13', isSecurity: false },
    libgcrypt20: { version: '1.10.1-3+deb12u1', isSecurity: true },
    adduser: undefined,
    openssl: { version: '3.0.22-1~deb12u2', isSecurity: true },
  })
})

const tableOf = (installed: string, candidate: string, ...lines: string[]) =>
  [`tool:`, `  Installed: ${installed}`, `  Candidate: ${candidate}`, '  Version table:', ...lines].join('\n')

test.each([
  [
    'an update that follows one of security is one of security itself',
    tableOf(
      '1.0',
      '1.2',
      '     1.2 500',
      '        500 http://deb.debian.org/debian bookworm-updates/main amd64 Packages',
      '     1.1 500',
      '        500 http://security.debian.org bullseye/updates/main amd64 Packages',
      ' *** 1.0 100',
      '        100 /var/lib/dpkg/status',
    ),
    { version: '1.2', isSecurity: true },
  ],
  [
    'a fix of the version that is there already does not count for the one after it',
    tableOf(
      '1.1',
      '1.2',
      '     1.2 500',
      '        500 http://archive.ubuntu.com/ubuntu jammy-updates/main amd64 Packages',
      ' *** 1.1 500',
      '        500 http://security.ubuntu.com/ubuntu jammy-security/main amd64 Packages',
      '        100 /var/lib/dpkg/status',
    ),
    { version: '1.2', isSecurity: false },
  ],
  [
    'a candidate that is older, as pins may want it, is no update',
    tableOf(
      '2.0',
      '1.0',
      ' *** 2.0 100',
      '        100 /var/lib/dpkg/status',
      '     1.0 1001',
      '       1001 http://x y/main amd64 Packages',
    ),
    undefined,
  ],
  [
    'a package without a candidate has no update',
    tableOf('2.0', '(none)', ' *** 2.0 -1', '        100 /var/lib/dpkg/status'),
    undefined,
  ],
  [
    'an update that is rolled out in phases is one',
    tableOf(
      '1:2.0',
      '1:2.1',
      '     1:2.1 500 (phased 20%)',
      '        500 http://archive.ubuntu.com/ubuntu jammy-updates/main amd64 Packages',
      ' *** 1:2.0 100',
      '        100 /var/lib/dpkg/status',
    ),
    { version: '1:2.1', isSecurity: false },
  ],
])('%s', (_, text, expected) => {
  expect(updates(text)).toEqual({ tool: expected })
})

test('packages of a foreign architecture keep the architecture in their name', () => {
  const text = policyText.replace('libgcrypt20:', 'libgcrypt20:i386:')

  expect([...parsePolicies(text).keys()]).toContain('libgcrypt20:i386')
})
