import { expect, test } from 'vitest'
import { linux } from '../src/platform/linux/index.ts'
import type { Platform } from '../src/platform/platform.ts'
import { expandVariables } from '../src/platform/windows/expand-variables.ts'
import type { PackageDetection } from '../src/protocol.ts'
import { isDetected } from '../src/work/declared/detect-declared.ts'
import { resolveCommands } from '../src/work/declared/resolve-commands.ts'
import { generateSecretKey, leaving, signedWork } from './signed.ts'
import { openWorld } from './world.ts'

const codes = { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] }
const install = { shell: 'touch "$ROOT/installed"' }

test('software is found by the version that dpkg knows', async () => {
  const { server, runOnce, installFakeTool } = await openWorld()
  await installFakeTool('dpkg-query', 'test "$5" = hello && test -e "$ROOT/installed" && printf "installed\\t1.10-1"')
  await installFakeTool(
    'dpkg',
    'test "$3" = eq && exec test "$2" = "$4"; test "$(printf "%s\\n" "$2" "$4" | sort -V | head -n 1)" = "$2"',
  )
  const given = (dpkg: object) =>
    server.give({ declared: { commands: { install, detect: { dpkg: { package: 'hello', ...dpkg } } } } })
  const workIds = [
    ...[given({ minVersion: '1.9-1' }), given({ version: '1.10-1' }), given({})],
    ...[given({ minVersion: '1.11-1' }), given({ version: '1.10-2' }), given({ package: 'other' })],
  ]

  await runOnce()

  expect(workIds.map((id) => server.resultOf(id)?.status)).toEqual([
    ...['Success', 'Success', 'Success'],
    ...['Failed', 'Failed', 'Failed'],
  ])
})

test.each([
  ['registry', { detect: { registry: { key: 'HKLM\\SOFTWARE\\A', view: '64' } } }],
  ['msi', { detect: { msi: { productCode: '{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}' } } }],
  ['version of a file', { detect: { file: { path: '/bin/sh', minVersion: '1' } } }],
  ['form', { detect: {} }],
] as const)(
  'a package that is found by %s is refused on Linux before any of its commands runs',
  async (form, declared) => {
    const { server, runOnce, left } = await openWorld()
    const workId = server.give({ declared: { commands: { install: leaving('ran'), ...declared } } })

    await runOnce()

    expect(server.resultOf(workId)).toMatchObject({
      status: 'Failed',
      exitCode: null,
      errorText: expect.stringContaining(form),
    })
    expect(left('ran')).toBeUndefined()
  },
)

test('an MSI package is refused on Linux', async () => {
  const { server, runOnce } = await openWorld()
  const msi = { file: 'a.msi', properties: {}, timeLimitMinutes: 60 }
  const workId = server.give({ declared: { msi }, files: { 'a.msi': 'an MSI file' } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    errorText: expect.stringContaining("runs Linux: 'msi'"),
  })
})

test('a signature covers what a package declares', async () => {
  const key = generateSecretKey()
  const { root, server, runOnce, agent } = await openWorld()
  await agent('trust-key', key.publicKey.text)
  const commands = { install: { ...install, ...codes }, detect: { file: { path: `${root}/installed` }, ...codes } }
  const { files } = signedWork(key, 'unused', { commands })
  const signed = server.give({ files, declared: { commands } })
  const changed = server.give({
    files,
    declared: { commands: { ...commands, detect: { file: { path: '/' }, ...codes } } },
  })

  await runOnce()

  expect(server.resultOf(signed)).toMatchObject({ status: 'Success' })
  expect(server.resultOf(changed)).toMatchObject({
    status: 'Failed',
    errorText: expect.stringContaining('commands that differ'),
  })
})

const productCode = '{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}'

const place = {
  kind: 'Install' as const,
  folder: '/folder',
  files: [],
  environment: { PROGRAMFILES: 'C:\\Program Files' },
}

/** A Windows on which these versions of the product are installed and in the file. */
const windowsWith = (installed: string | undefined): Platform => ({
  ...linux,
  name: 'Windows',
  detection: {
    ...linux.detection,
    expandVariables,
    readMsiFile: async () => ({ productCode, version: '1.10.0' }),
    msiProductVersion: async () => installed,
  },
})

test('an MSI file becomes the commands of msiexec, and its product code detects it', async () => {
  const msi = { file: 'bin/a.msi', properties: { ALLUSERS: '1', TARGET: '%ProgramFiles%\\A b' }, timeLimitMinutes: 30 }
  const own = { uninstall: { argv: ['own.exe'], ...codes } }

  const fresh = await resolveCommands(windowsWith(undefined), { msi, commands: {} }, place)
  const again = await resolveCommands(windowsWith('1.9.0'), { msi, commands: own }, place)

  const line = '/i "bin\\a.msi"'
  const options = '/qn /norestart /l*v muster-msi.log'
  const properties = 'ALLUSERS="1" TARGET="C:\\Program Files\\A b"'
  const installing = {
    installer: {
      line: `${line} ${properties} ${options}`,
      shownLine: `${line} ALLUSERS="1" TARGET="%ProgramFiles%\\A b" ${options}`,
      log: '/folder/muster-msi.log',
    },
    timeLimitMinutes: 30,
    successCodes: [0],
    rebootCodes: [3010, 1641],
  }
  expect(fresh).toMatchObject({
    install: installing,
    update: installing,
    uninstall: { installer: { line: `/x ${productCode} ${options}` }, successCodes: [0, 1605, 1614] },
    detect: { msi: { productCode, minVersion: '1.10.0' } },
  })
  expect(again).toMatchObject({
    install: { installer: { line: `${line} REINSTALL=ALL REINSTALLMODE=vomus ${properties} ${options}` } },
    uninstall: { argv: ['own.exe'] },
  })
})

test.each([
  [{ msi: { productCode, minVersion: '1.10' } }, '1.9.5', false],
  [{ msi: { productCode, minVersion: '1.10' } }, '1.10.0', true],
  [{ msi: { productCode, minVersion: '1.10' } }, '2', true],
  [{ msi: { productCode, version: '1.10' } }, '1.10.0.0', true],
  [{ msi: { productCode, version: '1.10' } }, '1.11', false],
  [{ msi: { productCode } }, '1', true],
  [{ msi: { productCode } }, undefined, false],
  [{ registry: { key: 'HKLM\\A\\B', view: '32', value: 'V', equals: 'yes' } }, 'yes', true],
  [{ registry: { key: 'HKLM\\A\\B', view: '32', value: 'V', equals: 'yes' } }, 'no', false],
  [{ registry: { key: 'HKLM\\A\\B', view: '32' } }, '', true],
  [{ registry: { key: 'HKLM\\A\\B', view: '32', value: 'V', minVersion: '1' } }, '', false],
  [{ registry: { key: 'HKU\\A\\B', view: '64', value: 'V' } }, '', true],
  [{ file: { path: 'C:\\a.exe', minVersion: '10.0' } }, '9.9', false],
] as const)('%j with %j installed is %j', async (form, found, expected) => {
  const asked: unknown[] = []
  const find = async (query: unknown) => {
    asked.push(query)
    return found
  }
  const detection = { ...linux.detection, registryValue: find, fileVersion: find, msiProductVersion: find }

  expect(await isDetected(detection, { ...form, ...codes } as PackageDetection)).toBe(expected)
  if ('registry' in form) {
    const { key, view } = form.registry
    const value = 'value' in form.registry ? 'V' : null
    expect(asked).toEqual([{ hive: key.replace('\\A\\B', ''), key: 'A\\B', view, value }])
  }
})
