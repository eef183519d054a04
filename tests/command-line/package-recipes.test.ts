import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDownloadHost } from '../../server/src/platform/downloads/download-hosts.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { openVendorServer } from '../../server/test/patches/vendor-server.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { commandsIn } from './muster-command.ts'

const vendor = await openVendorServer()
const packageHosts = [parseDownloadHost('private', vendor.host, true)]
const world = await openPackageWorld({ minFreeDiskMegabytes: 0, mode: 'development', packageHosts })
const { muster } = await commandsIn(world)

/** JSON is YAML, too. With line ends, mistakes have lines. */
const stringify = (content: object) => `${JSON.stringify(content, null, 2)}\n`
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const fromRepository = (name: string, changes: object = {}) => ({
  manifest: {
    ...{ name, version: 'latest', kind: 'software', operatingSystems: ['Debian'] },
    ...{ source: { package: `deb:${name}` }, ...changes },
  },
})
const withFile = (name: string, file: object) => ({
  manifest: {
    ...{ name, version: '1.0', kind: 'software', operatingSystems: ['Windows'] },
    commands: { install: { argv: ['setup.exe', '/S'] } },
  },
  file: { name: 'setup.exe', ...file },
})

async function writeFiles(files: Record<string, string | object>) {
  const folder = await openTemporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : stringify(content))
  }
  return folder
}

const plan = (...args: string[]) => muster('packages', 'recipes', 'plan', ...args)
const apply = (...args: string[]) => muster('packages', 'recipes', 'apply', ...args)

test('recipes from a repository, an address and a file become packages, and a second apply changes nothing', async () => {
  const url = vendor.serve('/remote.exe', 'downloaded')
  const folder = await writeFiles({
    'linux/first.yaml': fromRepository('first', { requires: ['base'] }),
    'windows/remote.yml': withFile('remote', { url, sha256: sha256('downloaded') }),
    'windows/local/local.json': withFile('local', {}),
    'windows/local/setup.exe': 'uploaded',
  })

  const planned = await plan(folder)
  const tried = await apply(folder, '--dry-run')
  const applied = await apply(folder)
  const again = await apply(folder)

  expect(planned.code).toBe(0)
  expect(planned.out).toContain('add    first latest for Debian (linux/first.yaml)\n')
  expect(planned.out).toContain(`(windows/remote.yml; the service downloads ${url})`)
  expect(planned.out).toMatch(/add {4}local 1\.0 for Windows \(windows\/local\/local\.json; uploads .*setup\.exe\)/)
  expect(planned.out).toContain('Planned: 3 added, 0 changed, 0 unchanged.\n')
  expect(tried.out).toBe(planned.out)
  expect(applied).toMatchObject({ code: 0, out: 'Applied: 3 packages.\n' })
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to apply') })
  expect((await muster('packages', 'show', 'first')).out).toMatch(/Requires +base/)
  expect(vendor.requestsTo('/remote.exe')).toBe(1)
})

test('a changed recipe replaces the content of its package, which keeps its id, and only that', async () => {
  const [steady, before, after] = [
    fromRepository('steady'),
    fromRepository('moving', { description: 'Before' }),
    fromRepository('moving', { description: 'After' }),
  ]
  const folder = await writeFiles({ 'steady.yaml': steady, 'moving.yaml': before })
  await apply(folder)
  const json = async () => JSON.parse((await plan(folder, '-o', 'json')).out) as { packageId: string }[]
  const ids = (await json()).map(({ packageId }) => packageId)
  await writeFile(join(folder, 'moving.yaml'), stringify(after))

  const applied = await apply(folder)

  expect(applied.err).toContain('change moving latest for Debian (moving.yaml; description)')
  expect(applied).toMatchObject({ code: 0, out: 'Applied: 1 package.\n' })
  expect(await json()).toEqual([
    expect.objectContaining({ recipe: 'moving.yaml', action: 'None', packageId: ids[0] }),
    expect.objectContaining({ recipe: 'steady.yaml', action: 'None', packageId: ids[1] }),
  ])
})

test('all mistakes are named with file and line, and nothing is applied', async () => {
  const folder = await writeFiles({
    'good.yaml': fromRepository('untouched'),
    'a-number.yaml':
      'manifest:\n  name: number\n  version: 1.10\n  kind: software\n  operatingSystems: [Debian]\n  source:\n    package: deb:a\n',
    'broken.yaml': 'manifest: [\n',
    'twice.yaml': fromRepository('untouched'),
    'unknown.yaml': { ...fromRepository('unknown'), colour: 'red' },
  })

  const { code, out, err } = await apply(folder)

  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^a-number\.yaml:3: 'manifest\.version' must be string\.$/m)
  expect(err).toMatch(/^broken\.yaml:\d+:\d+: /m)
  expect(err).toMatch(/^unknown\.yaml:\d+: 'colour' is an unknown property\.$/m)
  expect(err).toMatch(/^twice\.yaml:3: .*of good\.yaml\.$/m)
  expect((await muster('packages', 'list', 'untouched')).out).not.toContain('latest')
})

test('a recipe whose file is missing, or whose host is not listed, blocks all of them', async () => {
  const folder = await writeFiles({
    'good.yaml': fromRepository('waiting'),
    'missing.yaml': withFile('missing', {}),
    'unlisted.yaml': withFile('unlisted', { url: 'https://elsewhere.example.org/setup.exe', sha256: sha256('a') }),
  })

  const planned = await plan(folder)
  const applied = await apply(folder)

  expect(planned).toMatchObject({ code: 1, err: expect.stringContaining('2 recipes are blocked.') })
  expect(planned.out).toMatch(/blocked: missing\.yaml:\d+: The file setup\.exe is needed\./)
  expect(planned.out).toMatch(
    /blocked: unlisted\.yaml:\d+: file\.url is not allowed: elsewhere\.example\.org is listed neither/,
  )
  expect(applied.code).toBe(1)
  expect((await muster('packages', 'list', 'waiting')).out).not.toContain('latest')
})

test('a file of this computer must be the one of the recipe, and --files names where it is', async () => {
  const folder = await writeFiles({ 'given.yaml': withFile('given', { sha256: sha256('right') }) })
  const [right, wrong] = [await writeFiles({ 'setup.exe': 'right' }), await writeFiles({ 'setup.exe': 'wrong' })]

  const refused = await plan(folder, '--files', wrong)
  const applied = await apply(join(folder, 'given.yaml'), '--files', right)

  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/given\.yaml:\d+: .*is not the file of the recipe/),
  })
  expect(applied).toMatchObject({ code: 0, out: 'Applied: 1 package.\n' })
})

test('an import that fails ends the apply, and the next one continues', async () => {
  const url = vendor.serve('/changing.exe', 'other content')
  const folder = await writeFiles({
    'a.yaml': fromRepository('before-failure'),
    'b.yaml': withFile('failing', { url, sha256: sha256('expected') }),
    'c.yaml': fromRepository('after-failure'),
  })

  const failed = await apply(folder)
  vendor.serve('/changing.exe', 'expected')
  const continued = await apply(folder)

  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('b.yaml: The import of failing 1.0') })
  expect(failed.err).toContain('1 of 3 packages were imported.')
  expect(continued).toMatchObject({ code: 0, out: 'Applied: 2 packages.\n' })
})

test('a folder without recipes, or one that does not exist, is a failure', async () => {
  expect(await plan(await writeFiles({ 'README.md': '# Recipes' }))).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no .yaml'),
  })
  expect(await plan('/nowhere')).toMatchObject({ code: 1, err: 'There is no file or folder /nowhere.\n' })
})
