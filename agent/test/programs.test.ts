import { expect, test } from 'vitest'
import type { ListedProgram } from '../src/platform/detection.ts'
import { linux } from '../src/platform/linux/index.ts'
import type { Platform } from '../src/platform/platform.ts'
import { isDetected } from '../src/work/declared/detect-declared.ts'
import { findPrograms } from '../src/work/declared/programs.ts'
import { waitUntilRemoved } from '../src/work/declared/remove-program.ts'
import { resolveCommands } from '../src/work/declared/resolve-commands.ts'
import { leaving } from './signed.ts'
import { openWorld } from './world.ts'

const codes = { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] }
const productCode = '{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}'

const listed = (values: Partial<ListedProgram>): ListedProgram => ({
  ...{ id: 'Viewer', name: 'Viewer 7.10 (x64)', publisher: 'Example GmbH', version: '7.10.0' },
  ...{ uninstall: 'C:\\Program Files\\Viewer\\uninstall.exe', quietUninstall: '' },
  ...values,
})

/** A Windows that lists these programs. */
const windowsWith = (...programs: ListedProgram[]): Platform => ({
  ...linux,
  name: 'Windows',
  detection: { ...linux.detection, listPrograms: async () => programs },
})

const place = { kind: 'Uninstall' as const, folder: '/folder', files: [], environment: {} }

async function removalOf(program: object, ...programs: ListedProgram[]) {
  const commands = { uninstall: { ...codes, program } }
  const resolved = await resolveCommands(windowsWith(...programs), { commands }, place)
  return typeof resolved === 'string' ? resolved : resolved.uninstall
}

test.each([
  [{ id: 'viewer' }, true],
  [{ id: 'Viewer', minVersion: '7.9' }, true],
  [{ id: 'Viewer', minVersion: '7.10' }, true],
  [{ id: 'Viewer', minVersion: '7.11' }, false],
  [{ id: 'Viewer', version: '7.10' }, true],
  [{ id: 'Other' }, false],
  [{ name: 'Viewer' }, true],
  [{ name: 'viewer 8.2 (x64)' }, true],
  [{ name: 'Viewer (x86)' }, false],
  [{ name: 'View' }, false],
  [{ name: 'Viewer', publisher: 'Example' }, true],
  [{ name: 'Viewer', publisher: 'Example Corporation' }, true],
  [{ name: 'Viewer', publisher: 'Another' }, false],
] as const)('a program that is named %j is found: %j', async (program, isFound) => {
  expect(await isDetected(windowsWith(listed({})).detection, { ...codes, program })).toBe(isFound)
})

test('a program is found in the version that is meant, whatever other versions Windows lists', async () => {
  const detection = windowsWith(listed({ version: '6.1', id: 'old' }), listed({ id: 'new' })).detection

  expect(await isDetected(detection, { ...codes, program: { name: 'Viewer', minVersion: '7' } })).toBe(true)
  expect(findPrograms([listed({ version: '6.1' }), listed({})], { name: 'Viewer' })[0]?.version).toBe('7.10.0')
})

test.each([{}, { id: 'a', name: 'b' }, { name: '***' }])('a query of %j names no program', (query) => {
  expect(() => findPrograms([], query)).toThrow("'program'")
})

test('a program is removed by the command that it has registered, with quotation marks around its path', async () => {
  expect(await removalOf({ id: 'Viewer', arguments: '/S' }, listed({}))).toMatchObject({
    shell: '"C:\\Program Files\\Viewer\\uninstall.exe" /S',
    removes: { id: 'Viewer' },
  })
  const quoted = listed({ uninstall: '"C:\\a b\\u.exe" -remove' })
  expect(await removalOf({ id: 'Viewer', arguments: '/S' }, quoted)).toMatchObject({
    shell: '"C:\\a b\\u.exe" -remove /S',
  })
})

test('a command without questions is used as it is', async () => {
  const program = listed({ quietUninstall: '"C:\\u.exe" /quiet' })

  expect(await removalOf({ id: 'Viewer', arguments: '/S' }, program)).toMatchObject({ shell: '"C:\\u.exe" /quiet' })
})

test.each([`MsiExec.exe /X${productCode}`, `"C:\\Windows\\System32\\msiexec.exe" /I${productCode}`])(
  'a program that %s removes is removed by Windows Installer without questions',
  async (uninstall) => {
    expect(await removalOf({ id: 'Viewer' }, listed({ uninstall }))).toMatchObject({
      installer: { line: `/x ${productCode} /qn /norestart /l*v muster-msi.log` },
      successCodes: [0, 1605, 1614],
      rebootCodes: [3010, 1641],
    })
  },
)

test('a program that Windows does not list is removed already, and one without a command cannot be removed', async () => {
  expect(await removalOf({ id: 'Viewer' })).toMatchObject({ shell: 'echo The program is not installed.' })
  expect(await removalOf({ id: 'Viewer' }, listed({ uninstall: '' }))).toContain('no command for its removal')
})

test('what a program has registered does not matter for its installation', async () => {
  const commands = { install: { ...codes, argv: ['a.exe'] }, uninstall: { ...codes, program: { id: 'Viewer' } } }
  const platform = windowsWith(listed({ uninstall: '' }))

  expect(await resolveCommands(platform, { commands }, { ...place, kind: 'Install' })).toMatchObject({
    install: { argv: ['a.exe'] },
  })
})

test('the removal ends when Windows no longer lists the program, or when the work is cancelled', async () => {
  let reads = 0
  const listPrograms = async () => (++reads < 3 ? [listed({})] : [])
  await waitUntilRemoved({ ...linux.detection, listPrograms }, { id: 'Viewer' }, new AbortController().signal)
  expect(reads).toBe(3)

  const endless = { ...linux.detection, listPrograms: async () => [listed({})] }
  await waitUntilRemoved(endless, { id: 'Viewer' }, AbortSignal.timeout(100))
})

test('a package that is found or removed by a program is refused on Linux before any of its commands runs', async () => {
  const { server, runOnce, left } = await openWorld()
  const install = leaving('ran')
  const found = server.give({ declared: { commands: { install, detect: { program: { id: 'A' } } } } })
  const uninstall = { program: { id: 'A' } }
  const removed = server.give({ kind: 'Uninstall', declared: { commands: { install, uninstall } } })

  await runOnce()

  for (const workId of [found, removed])
    expect(server.resultOf(workId)).toMatchObject({
      status: 'Failed',
      errorText: expect.stringContaining("'program' does not exist"),
    })
  expect(left('ran')).toBeUndefined()
})
