import { expect, test } from 'vitest'
import type { AptAccess } from '../../src/platform/linux/patches/apt-access.ts'
import { scanPatches } from '../../src/platform/linux/patches/apt-scan.ts'
import { folders, packagesText, policyText, showText } from './recorded.ts'

const product = 'Debian GNU/Linux 12'

type Outputs = Record<string, string | undefined | Error>

/** A computer whose tools write what was recorded. */
function recorded(outputs: Outputs = {}): AptAccess {
  const written: Outputs = {
    'apt-config shell': folders,
    'dpkg-query --admindir=/var/lib/dpkg': packagesText,
    'apt-cache policy': policyText,
    'apt-cache show': showText,
    ...outputs,
  }
  return {
    async output(tool, first) {
      const text = written[`${tool} ${first}`]
      if (text instanceof Error) throw text
      return text
    },
    names: async (folder) => (folder === '/var/lib/apt/lists/' ? ['a_InRelease', 'b_Release', 'b_Packages'] : []),
    changedAt: async (path) =>
      ({
        '/var/lib/apt/lists/a_InRelease': new Date('2026-03-10T00:00:00Z'),
        '/var/lib/apt/lists/b_Release': new Date('2026-03-11T00:00:00Z'),
        '/var/lib/apt/lists/b_Packages': new Date('2026-03-12T00:00:00Z'),
        '/var/lib/dpkg/info/adduser.list': new Date('2026-02-01T00:00:00Z'),
      })[path],
  }
}

const scan = (outputs?: Outputs, known: string[] = []) => scanPatches(recorded(outputs), product, new Set(known))

const statuses = (found: Awaited<ReturnType<typeof scan>>) =>
  Object.fromEntries((found?.patches ?? []).map(({ key, status }) => [key, status]))

test('upgradable packages are missing patches of the release, security updates among them', async () => {
  const found = await scan()

  const of = (key: string, type: string, sizeBytes?: number) => ({
    key,
    product,
    name: key,
    type,
    status: 'Missing',
    restartSuggested: false,
    component: expect.any(Object),
    ...(sizeBytes && { sizeBytes }),
  })
  expect(found).toEqual({
    scannedUtc: expect.any(String),
    definitionUtc: '2026-03-11T00:00:00.000Z',
    patches: [
      of('bash 5.2.15-2+b13', 'NonSecurityPatch', 1_491_456),
      of('libgcrypt20 1.10.1-3+deb12u1', 'SecurityPatch', 696_204),
      of('openssl 3.0.22-1~deb12u2', 'SecurityPatch'),
    ],
  })
})

test('a patch names its package, the version it replaces, and the source packages of both', async () => {
  const found = await scan({}, ['adduser 3.134'])

  expect(found?.patches.map(({ component }) => component)).toEqual([
    {
      name: 'bash',
      version: '5.2.15-2+b13',
      installedVersion: '5.2.15-2+b8',
      sourceName: 'bash',
      sourceVersion: '5.2.15-2',
      installedSourceVersion: '5.2.15-2',
    },
    {
      name: 'libgcrypt20',
      version: '1.10.1-3+deb12u1',
      installedVersion: '1.10.1-3',
      sourceName: 'libgcrypt20',
      sourceVersion: '1.10.1-3+deb12u1',
      installedSourceVersion: '1.10.1-3',
    },
    { name: 'adduser', version: '3.134', sourceName: 'adduser', sourceVersion: '3.134' },
    // apt did not describe this version.
    {
      name: 'openssl',
      version: '3.0.22-1~deb12u2',
      installedVersion: '3.0.19-1~deb12u2',
      installedSourceVersion: '3.0.19-1~deb12u2',
    },
  ])
})

test('an update that was missing before counts as installed once its version is installed', async () => {
  const found = await scan({}, ['adduser 3.134', 'bash 5.2.15-2+b13', 'openssl 3.0.20-1~deb12u2'])

  expect(statuses(found)).toMatchObject({ 'adduser 3.134': 'Installed', 'bash 5.2.15-2+b13': 'Missing' })
  expect(statuses(found)).not.toHaveProperty('openssl 3.0.20-1~deb12u2')
  expect(found?.patches.find(({ key }) => key === 'adduser 3.134')).toMatchObject({
    installedUtc: '2026-02-01T00:00:00.000Z',
  })
})

test('an installed version from a security suite is an installed patch', async () => {
  const upgraded = policyText
    .replace('Installed: 1.10.1-3\n', 'Installed: 1.10.1-3+deb12u1\n')
    .replace('     1.10.1-3+deb12u1 500', ' *** 1.10.1-3+deb12u1 500')
    .replace(' *** 1.10.1-3 100', '     1.10.1-3 100')

  const found = await scan({ 'apt-cache policy': upgraded })

  expect(statuses(found)).toMatchObject({ 'libgcrypt20 1.10.1-3+deb12u1': 'Installed' })
})

test('a patch is missing if one of two architectures of a package lacks it', async () => {
  const version = '1.10.1-3+deb12u1'
  const native = `libgcrypt20:\n  Installed: ${version}\n  Candidate: ${version}\n  Version table:\n *** ${version} 100\n`
  const foreign = policyText.replace('libgcrypt20:', 'libgcrypt20:i386:')
  const outputs = {
    'dpkg-query --admindir=/var/lib/dpkg': 'installed\tlibgcrypt20:i386\ninstalled\tlibgcrypt20:amd64\n',
    'apt-cache policy': native + foreign,
  }

  const found = await scan(outputs, [`libgcrypt20 ${version}`])

  expect(statuses(found)).toEqual({ [`libgcrypt20 ${version}`]: 'Missing' })
})

test('a computer without apt or dpkg cannot be scanned', async () => {
  expect(await scan({ 'apt-config shell': undefined })).toBeUndefined()
  expect(await scan({ 'dpkg-query --admindir=/var/lib/dpkg': undefined })).toBeUndefined()
})

test('a failing tool makes the scan fail instead of reporting nothing missing', async () => {
  await expect(scan({ 'apt-cache policy': new Error('apt-cache has failed: no memory') })).rejects.toThrow('no memory')
  await expect(scan({ 'apt-cache policy': '' })).rejects.toThrow('none of the packages')
})

test('a scan succeeds without sizes that cannot be determined', async () => {
  const found = await scan({ 'apt-cache show': new Error('apt-cache has failed: No packages found') })

  expect(found?.patches).toHaveLength(3)
})
