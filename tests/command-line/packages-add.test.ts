import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifestOf, openPackageWorld } from '../../server/test/packages/package-world.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { commandsIn } from './muster-command.ts'

const world = await openPackageWorld({ minFreeDiskMegabytes: 0 })
const { muster, musterOn } = await commandsIn(world)
const folder = await openTemporaryFolder()

const write = async (name: string, content: string | object) => {
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return join(folder, name)
}

test('a file with its manifest is uploaded and imported', async () => {
  const file = await write('tool.bin', 'program')
  const manifest = await write('tool.json', manifestOf({ name: 'tool' }))

  const added = await muster('packages', 'add', file, '--manifest', manifest)
  const again = await muster('packages', 'add', file, '--manifest', manifest)

  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^tool\.bin was imported: package [\da-f-]{36}\n$/),
  })
  expect(added.err).toContain('MB of tool.bin')
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
})

test('an archive is imported with the manifest in it, and other files wait for one', async () => {
  await mkdir(join(folder, 'archived'))
  await write('archived/muster-package.json', manifestOf({ name: 'archived' }))
  execFileSync('tar', ['-czf', join(folder, 'archived.tar.gz'), '-C', folder, 'archived'])
  const installer = await write('setup.msi', 'not a real one')

  const added = await muster('packages', 'add', 'missing.deb', join(folder, 'archived.tar.gz'), installer)
  const listed = await muster('packages', 'uploads')

  // The others are added, whatever is wrong with one of them.
  expect(added.code).toBe(1)
  expect(added.err).toMatch(/^missing\.deb cannot be read: .*\n(?:.*\n)*Not added: missing\.deb\n$/)
  expect(added.out).toMatch(/^archived\.tar\.gz was imported: package \S+\nsetup\.msi is uploaded: \S+\n$/)
  expect(listed.out).toMatch(/setup\.msi +Ready/)
  expect(listed.out).not.toContain('archived.tar.gz')
})

test('a package of a repository is added without a file, and a wrong one is explained', async () => {
  const tried = await muster('packages', 'add', 'deb:nginx', '--dry-run')
  const added = await muster('packages', 'add', 'deb:nginx', 'rpm:httpd', '--min-version', '1.2', '--keep-version')
  const wrong = await muster('packages', 'add', 'deb:nginx', '--package-version', '1.0 bash')
  const unsigned = await muster('packages', 'add', 'rpm:httpd', '--repository', 'https://example.org')

  expect(tried).toMatchObject({ code: 0, out: 'deb:nginx would be added.\n' })
  expect(added.code).toBe(0)
  expect(added.out).toMatch(/^deb:nginx was added: package \S+\..*\nrpm:httpd was added: package \S+\./)
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('source.version') })
  expect(unsigned.err).toContain('--repository needs --key')
})

test('a file that cannot be read is named, and nothing is sent', async () => {
  const missing = await muster('packages', 'add', join(folder, 'missing.bin'))
  const empty = await muster('packages', 'add', await write('empty.bin', ''))
  const two = await muster('packages', 'add', 'a', 'b', '--manifest', 'c')

  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('missing.bin cannot be read') })
  expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('is empty') })
  expect(two.err).toContain('--manifest is for a single file')
})

async function makeDeb(name: string): Promise<string> {
  await mkdir(join(folder, name, 'DEBIAN'), { recursive: true })
  const control = [`Package: ${name}`, 'Version: 1.0-1', 'Architecture: all', 'Maintainer: A <a@example.org>']
  await write(`${name}/DEBIAN/control`, `${control.join('\n')}\nDescription: Tool\n`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', name, `${name}.deb`], { cwd: folder })
  return join(folder, `${name}.deb`)
}

test('the proposed package of an installer is created once a person, or --yes, accepts it', async () => {
  const [asked, trusted] = [await makeDeb('asked-tool'), await makeDeb('trusted-tool')]

  const declined = await musterOn({ ask: async () => 'no' }, 'packages', 'add', asked)
  const accepted = await musterOn({ ask: async () => 'yes' }, 'packages', 'add', asked)
  const unattended = await muster('packages', 'add', trusted, '--yes', '--set', 'displayName=Trusted')
  const withoutAnswer = await muster('packages', 'add', trusted)

  expect(declined).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Nothing was uploaded') })
  expect(accepted.err).toContain('  version: 1.0-1 [certain: From the control file of the package]')
  expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('asked-tool.deb was imported: package ') })
  expect(unattended).toMatchObject({ code: 0, out: expect.stringContaining('trusted-tool.deb was imported') })
  expect(withoutAnswer.err).toContain('Nobody can accept the proposal here')
  const listed = await muster('packages', 'list', '-o', 'json')
  expect(listed.out).toContain('"Trusted"')
})

test('--yes accepts no guess, and names the lines that need a correction', async () => {
  const script = await write('viewer.sh', '#!/bin/sh\ntrue\n')

  const refused = await muster('packages', 'add', script, '--yes', '--set', 'name=viewer')
  const corrections = ['version=2.4', 'commands.install.argv=["sh", "viewer.sh"]']
  const corrected = await muster('packages', 'add', script, '--yes', '--set', 'name=viewer', ...corrections)
  const unclear = await muster('packages', 'add', script, '--yes', '--set', 'viewer')

  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(/--set property=value for: version, commands\.install\.argv\./)
  expect(corrected).toMatchObject({ code: 0, out: expect.stringContaining('viewer.sh was imported') })
  expect(unclear.err).toContain('--set needs property=value')
})
