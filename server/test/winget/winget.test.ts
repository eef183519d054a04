import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { convertWingetManifest } from '../../src/features/winget/api/convert-winget-manifest.ts'
import { getWingetPackage } from '../../src/features/winget/api/get-winget-package.ts'
import { searchWingetPackages } from '../../src/features/winget/api/search-winget-packages.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { openPackageWorld } from '../packages/package-world.ts'
import { toFiles, wingetFiles } from './sample-manifests.ts'

const packageHosts = [parseDownloadHost('hosts', 'downloads.example.org', false)]
const { as, folder, store } = await openPackageWorld({ packageHosts })
const packager = as('package.write')

const mirrored = (identifier: string, version: string) =>
  folder(
    `winget/manifests/${identifier.charAt(0).toLowerCase()}/${identifier.replaceAll('.', '/')}/${version}`,
    wingetFiles({ identifier, version }),
  )

const search = async (text: string, top = 50) =>
  (await packager.call(searchWingetPackages, { query: { search: text, top } })).body

const convert = (files: { name: string; content: string }[], choice = {}) =>
  packager.call(convertWingetManifest, { body: { files, ...choice } })

test('without a mirror, the search says so', async () => {
  expect(await search('viewer')).toEqual({ hasMirror: false, isComplete: true, items: [] })
})

test('a manifest becomes a package, and the answer says from where its file may come', async () => {
  const { body } = await convert(toFiles(wingetFiles({})))
  const elsewhere = await convert(toFiles(wingetFiles({ url: 'https://other.example.org/a.exe' })))
  const plain = await convert(toFiles(wingetFiles({ url: 'http://downloads.example.org/a.exe' })))

  expect(body).toMatchObject({
    ...{ identifier: 'Example.Viewer', version: '7.10', rest: [] },
    packages: [
      {
        ...{ architecture: 'x64', installerType: 'nullsoft', scope: 'machine', locale: null, downloadFault: null },
        ...{ fileName: 'viewer.exe', sha256: 'a1b2c3d4'.repeat(8), url: 'https://downloads.example.org/viewer.exe' },
        manifest: {
          ...{ name: 'Example.Viewer', version: '7.10', operatingSystems: ['Windows'] },
          commands: { detect: { program: { id: 'Viewer', minVersion: '7.10' } } },
        },
      },
    ],
  })
  expect(elsewhere.body.packages[0]?.downloadFault).toContain('MUSTER_PACKAGE_HOSTS')
  expect(plain.body.packages[0]?.downloadFault).toContain('https')
})

test('an installer that needs a person is listed with the reason', async () => {
  const { body } = await convert(toFiles(wingetFiles({ type: 'msix' })))

  expect(body).toMatchObject({ packages: [], rest: [{ installerType: 'msix', reason: 'installerType' }] })
})

test.each([
  ['no YAML', 'a: [b'],
  ['no manifest', 'a: b'],
  ['a depth that overflows the stack', '['.repeat(100_000)],
  ['aliases that multiply', 'a: &a [x]\nb: [*a, *a]\n'],
])('a file with %s is refused with the reason, and the service goes on', async (_name, content) => {
  const answer = await convert([{ name: 'a.yaml', content }])

  expect(answer).toMatchObject({ status: 422, problem: 'WingetManifestInvalid' })
  expect((await convert(toFiles(wingetFiles({})))).status).toBe(200)
})

test('packages of the mirror are found by a part of their identifier, with the latest of their versions', async () => {
  for (const version of ['7.9', '7.10', '7.10.1-beta']) await mirrored('Example.Viewer', version)
  await mirrored('Example.Viewer.Portable', '1')
  await mirrored('Other.ViewerTool', '2')
  await mirrored('Other.Unrelated', '3')

  expect((await search('VIEWER')).items).toEqual([
    { identifier: 'Example.Viewer', latestVersion: '7.10.1-beta', versionCount: 3 },
    { identifier: 'Example.Viewer.Portable', latestVersion: '1', versionCount: 1 },
    { identifier: 'Other.ViewerTool', latestVersion: '2', versionCount: 1 },
  ])
  expect((await search('example.view')).items).toHaveLength(2)
  expect((await search('portable')).items).toHaveLength(1)
  expect((await search('nothing')).items).toEqual([])
  expect(await search('viewer', 1)).toMatchObject({ isComplete: false, items: [{}] })
})

test('a package of the mirror is converted in the version that is asked for', async () => {
  const latest = await packager.call(getWingetPackage, { params: { identifier: 'Example.Viewer' } })
  const query = { version: '7.9' }
  const earlier = await packager.call(getWingetPackage, { params: { identifier: 'Example.Viewer' }, query })

  expect(latest.body).toMatchObject({ version: '7.10.1-beta', versions: ['7.10.1-beta', '7.10', '7.9'] })
  expect(earlier.body).toMatchObject({ version: '7.9', packages: [{ manifest: { version: '7.9' } }] })
})

test.each(['Example.None', 'Example', '../../etc', 'Example.Viewer/7.9', 'Example.Linked', 'Example.Viewer.7.9'])(
  'the mirror has no package %j',
  async (identifier) => {
    await symlink('/etc', join(store, 'winget/manifests/e/Example/Linked')).catch(() => undefined)

    const answer = await packager.call(getWingetPackage, { params: { identifier } })

    expect(answer).toMatchObject({ status: 404, problem: 'WingetPackageNotFound' })
  },
)

test('a version that is a path is not read', async () => {
  const query = { version: '../../../../..' }

  const answer = await packager.call(getWingetPackage, { params: { identifier: 'Example.Viewer' }, query })

  expect(answer.problem).toBe('WingetPackageNotFound')
})
