import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDownloadHost } from '../../server/src/platform/downloads/download-hosts.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { openVendorServer } from '../../server/test/patches/vendor-server.ts'
import { wingetFiles } from '../../server/test/winget/sample-manifests.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { commandsIn } from './muster-command.ts'

const vendor = await openVendorServer()
const packageHosts = [parseDownloadHost('private', vendor.host, true)]
const world = await openPackageWorld({ minFreeDiskMegabytes: 0, mode: 'development', packageHosts })
const { muster } = await commandsIn(world)
const content = 'an installer'
const hash = createHash('sha256').update(content).digest('hex')

async function writeFiles(folder: string, files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

test('a manifest becomes a package of the installer beside it, whatever the name of the file is', async () => {
  const folder = await writeFiles(await openTemporaryFolder(), {
    ...wingetFiles({ identifier: 'Example.Beside', hash }),
    'Other.Package.installer.yaml': 'not a manifest',
    'download (1).exe': content,
  })

  const added = await muster('packages', 'add', join(folder, 'Example.Beside.installer.yaml'), '--yes')

  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/was imported: package [\da-f-]{36}\n$/) })
  expect(added.err).toContain('commands.detect.program: {"id":"Viewer","minVersion":"7.10"}')
  expect((await muster('packages', 'list', 'Example.Beside')).out).toContain('7.10')
})

test('the service downloads the installer of a folder without one, and only the file of the manifest is accepted', async () => {
  const url = vendor.serve('/setup.exe', content)
  const folder = await writeFiles(await openTemporaryFolder(), wingetFiles({ identifier: 'Example.Remote', hash, url }))
  const wrong = join(await writeFiles(await openTemporaryFolder(), { 'a.exe': 'another one' }), 'a.exe')

  const refused = await muster('packages', 'add', folder, '--yes', '--installer', wrong)
  const added = await muster('packages', 'add', folder, '--yes')

  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('its SHA-256 is another one') })
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining(`The service downloads ${url}`) })
})

test('what needs a person is explained', async () => {
  const folder = await writeFiles(await openTemporaryFolder(), wingetFiles({ type: 'exe', hash }))
  const broken = await writeFiles(await openTemporaryFolder(), { 'a.yaml': 'a: [b' })

  expect(await muster('packages', 'add', folder, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Example.Viewer needs a person. x64: The manifest has no switches'),
  })
  expect((await muster('packages', 'add', join(broken, 'a.yaml'))).err).toContain('not valid YAML')
})

test('packages of the mirror are searched, shown and added', async () => {
  const url = vendor.serve('/mirrored.exe', content)
  const before = await muster('packages', 'winget', 'search', 'mirrored')
  for (const version of ['1.9', '1.10'])
    await writeFiles(
      join(world.store, 'winget/manifests/e/Example/Mirrored', version),
      wingetFiles({ identifier: 'Example.Mirrored', version, hash, url }),
    )

  const found = await muster('packages', 'winget', 'search', 'mirrored')
  const shown = await muster('packages', 'winget', 'show', 'Example.Mirrored', '--package-version', '1.9')
  const added = await muster('packages', 'winget', 'add', 'Example.Mirrored', '--yes')

  expect(before).toMatchObject({ code: 1, err: expect.stringContaining('MUSTER_WINGET_MIRROR') })
  expect(found.out).toMatch(/Example\.Mirrored +1\.10 +2/)
  expect(shown.out).toMatch(/x64 +nullsoft +.*mirrored\.exe +possible/)
  expect(added).toMatchObject({ code: 0, out: expect.stringContaining('Example.Mirrored 1.10 was imported') })
})
