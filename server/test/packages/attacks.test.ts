import { execFileSync } from 'node:child_process'
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { pathFault } from '@muster/package-format'
import { describe, expect, onTestFinished, test } from 'vitest'
import { importPackage } from '../../src/features/packages/api/import-package.ts'
import { listPackages } from '../../src/features/packages/api/list-packages.ts'
import { requirePackageFolder } from '../../src/features/packages/store-folder.ts'
import { fingerprints } from '../world/tables.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { as, db, store, folder, imported } = await openPackageWorld()

// A package beside the store, which must stay out of reach.
await folder('../outside', { 'muster-package.json': manifestOf({ name: 'outside' }) })

const names = async () => (await as('package.read').call(listPackages)).body.items.map(({ packageName }) => packageName)

const hostilePaths: [what: string, path: string][] = [
  ['empty', ''],
  ['a blank', ' '],
  ['the store itself', '.'],
  ['the parent', '..'],
  ['the parent with a slash', '../outside'],
  ['the parent with a backslash', '..\\outside'],
  ['up and down', 'apps/../../outside'],
  ['up and down, mixed', 'apps\\..\\..\\outside'],
  ['a part that is a dot', './apps'],
  ['the parent with a blank', '.. /outside'],
  ['more dots', '.../outside'],
  ['absolute', '/etc'],
  ['absolute for Windows', 'C:\\Windows'],
  ['absolute for Windows, with slashes', 'c:/Windows'],
  ['relative to a drive', 'C:Windows'],
  ['rooted', '\\Windows'],
  ['UNC', '\\\\server\\share\\folder'],
  ['UNC with slashes', '//server/share/folder'],
  ['a device path', '\\\\?\\C:\\Windows'],
  ['an address', 'file:///etc'],
  ['empty parts', 'apps//greeting'],
  ['a slash at the end', 'apps/greeting/'],
  ['a NUL', 'apps\u0000/greeting'],
  ['a new line', 'apps\n'],
  ['a delete character', 'apps\u007f'],
  ['a turn of the direction of writing', 'apps\u202Ecod.exe'],
  ['a character of no width', 'app\u200Bs'],
  ['a line separator', 'a\u2028b'],
  ['half of a surrogate pair', 'a\uD800b'],
  ['a stream of NTFS', 'apps::$DATA'],
  ['a wildcard', 'apps/*'],
  ['a device of DOS', 'apps/NUL'],
  ['a device of DOS with an extension', 'con.txt'],
  ['a dot at the end', 'apps./greeting'],
  ['a part that is too long', 'x'.repeat(256)],
  ['a part with too many bytes', 'ä'.repeat(128)],
  ['a path that is too long', 'x/'.repeat(600)],
  ['megabytes', 'x/'.repeat(400_000)],
]

test.each(hostilePaths)('a hostile folder path is refused (%s)', async (_what, folderPath) => {
  const writer = as('package.write')
  await writer.send({ method: 'GET', url: '/' })
  const before = await fingerprints(db)

  const refused = await writer.call(importPackage, { body: { folderPath } })

  expect(refused).toMatchObject({
    status: 400,
    problem: 'InvalidRequest',
    raw: { errors: [{ in: 'body', name: 'folderPath' }] },
  })
  expect(await fingerprints(db)).toEqual(before)
})

test.each([
  'apps/greeting',
  'Straße/Ümläut',
  'a.b-c_d (1)',
  '．．/outside',
  '%2e%2e/outside',
  '..%2f',
  '~',
  '$HOME',
  '-rf',
])('the folder path %s is taken literally', (path) => {
  expect(pathFault(path)).toBeUndefined()
})

const missing = { status: 400, problem: 'InvalidRequest', raw: { errors: [{ in: 'body', name: 'folderPath' }] } }

test('a path that only looks like the parent folder does not leave the store', async () => {
  for (const path of ['．．/outside', '%2e%2e/outside', '..%2foutside'])
    expect(await as('package.write').call(importPackage, { body: { folderPath: path } }), path).toMatchObject(missing)
  expect(await names()).not.toContain('outside')
})

test('a folder path matches only the exact spelling on disk', async () => {
  await folder('Case', { 'muster-package.json': manifestOf({ name: 'case' }) })
  await folder('caf\u00e9', { 'muster-package.json': manifestOf({ name: 'accent' }) })

  for (const folderPath of ['case', 'cafe\u0301'])
    expect(await as('package.write').call(importPackage, { body: { folderPath } })).toMatchObject(missing)
})

describe('links', () => {
  test.each([
    ['as the folder', 'linked', '../outside'],
    ['as a parent of the folder', 'linked-parent/outside', '..'],
    ['as the folder, within the store', 'linked-inside', 'target'],
  ])('a folder path with a link %s is refused', async (_what, path, target) => {
    await folder('target', { 'muster-package.json': manifestOf({ name: 'target' }) })
    await symlink(join(store, target), join(store, path.split('/')[0] ?? ''))

    const { status, message } = await imported(path)

    expect(status).toBe('Failed')
    expect(message).toContain('through a link')
    expect(message).not.toContain(dirname(store))
  })

  test.each([
    ['the manifest', 'muster-package.json', '../../outside/muster-package.json'],
    ['a file', 'data/passwd', '/etc/passwd'],
    ['a folder', 'data', '../../outside'],
    ['a file of the package', 'again.sh', 'install.sh'],
    ['nothing', 'broken', 'no-such-file'],
  ])('a link in the folder to %s is refused', async (what, path, target) => {
    const name = `link ${what}`
    await folder(name, {
      'install.sh': '',
      ...(what !== 'the manifest' && { 'muster-package.json': manifestOf({ name }) }),
    })
    await mkdir(dirname(join(store, name, path)), { recursive: true })
    await symlink(target, join(store, name, path))

    const { status, message } = await imported(name)

    expect({ status, message }).toEqual({
      status: 'Failed',
      message: `'${path}' is a link. Replace it with the file or folder that it points to.`,
    })
  })

  test('the store itself may be a link, because the operator configures it', async () => {
    await folder('plain', { 'muster-package.json': manifestOf({ name: 'plain' }) })
    await symlink(store, `${store}-link`)

    expect(await requirePackageFolder(`${store}-link`, 'plain')).toBe(join(await realpath(store), 'plain'))
  })
})

test('sockets and pipes in a package are refused without waiting for them', async () => {
  await folder('socket', { 'muster-package.json': manifestOf({ name: 'socket' }) })
  await folder('pipe', { 'muster-package.json': manifestOf({ name: 'pipe' }) })
  const server = createServer().listen(join(store, 'socket/s'))
  onTestFinished(() => void server.close())
  execFileSync('mkfifo', [join(store, 'pipe/p')])

  expect((await imported('socket')).message).toBe("'s' is neither a file nor a folder. Remove it from the package.")
  expect((await imported('pipe')).message).toBe("'p' is neither a file nor a folder. Remove it from the package.")
})

describe('names of files in a package', () => {
  test.each([
    ['that differ by case', ['Setup.exe', 'setup.EXE']],
    ['that differ by the form of an accent', ['caf\u00e9', 'cafe\u0301']],
    ['that differ by both', ['CAF\u00c9', 'cafe\u0301']],
    ['of folders that differ by case', ['Data/a', 'data/b']],
  ])('names %s are refused', async (what, paths) => {
    await folder(what, {
      'muster-package.json': manifestOf({ name: what }),
      ...Object.fromEntries(paths.map((path) => [path, ''])),
    })

    expect((await imported(what)).message).toContain('differ only in case or in the Unicode form of their characters')
  })

  test.each([
    ['backslash', 'a\\b'],
    ['way out for Windows', '..\\..\\evil.exe'],
    ['drive', 'C:evil.exe'],
    ['new line', 'a\nb'],
    ['turned writing', 'invoice\u202Efdp.exe'],
    ['blank at the end', 'evil '],
    ['device', 'aux.h'],
  ])('a file name with a %s is refused', async (what, name) => {
    await folder(`name ${what}`, { 'muster-package.json': manifestOf({ name: what }), [`sub/${name}`]: '' })

    const { status, message } = await imported(`name ${what}`)

    expect(status).toBe('Failed')
    expect(message).toMatch(/^The name of 'sub\//)
    expect(message).not.toMatch(/[\p{Cc}\u202E]/u)
  })

  test('a file name that is not UTF-8 is refused', async () => {
    await folder('latin', { 'muster-package.json': manifestOf({ name: 'latin' }) })
    await writeFile(Buffer.concat([Buffer.from(join(store, 'latin/')), Buffer.from([0xe4])]), '')

    expect((await imported('latin')).message).toContain('control or invisible characters')
  })

  test('a file path that is too long is refused', async () => {
    const path = `${'x'.repeat(200)}/`.repeat(6)
    await folder('deep', { 'muster-package.json': manifestOf({ name: 'deep' }), [`${path}file`]: '' })

    expect((await imported('deep')).message).toContain('is too long')
  })
})

describe('files that a manifest names', () => {
  test.each(hostilePaths.filter(([, path]) => !/[\0\uD800]/.test(path) && path.length < 2_000))(
    'a manifest that names a file by a hostile path is refused (%s)',
    async (what, path) => {
      const name = `manifest ${what}`
      const boot = { kernel: 'vmlinuz', initrd: path, architecture: 'x64' }
      await folder(name, {
        'muster-package.json': manifestOf({ name, kind: 'pxeBootImage', commands: undefined, boot }),
        vmlinuz: '',
      })

      const { status, message } = await imported(name)

      expect(status).toBe('Failed')
      expect(message).toMatch(/^muster-package\.json: 'boot\.initrd' /)
    },
  )

  test.each([
    ['a missing file', 'missing.img'],
    ['a folder', 'images'],
    ['a file by another case', 'IMAGES/os.img'],
  ])('a manifest that names %s is refused', async (what, file) => {
    const image = {
      file,
      language: 'en',
      os: 'X',
      osType: 'Y',
      architecture: 'x64',
      skus: [{ index: 1, edition: 'E' }],
    }
    await folder(`names ${what}`, {
      'muster-package.json': manifestOf({ name: what, kind: 'operatingSystem', commands: undefined, image }),
      'images/os.img': '',
    })

    expect((await imported(`names ${what}`)).message).toBe(
      `muster-package.json: 'image.file' names '${file}', which is not a file of the package. ` +
        'Check the path, including upper and lower case.',
    )
  })
})
