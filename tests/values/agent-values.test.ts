import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { findCommandFault, loadingProperties as importedLoadingProperties } from '@muster/package-format'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { describeWork, userTexts } from '../../agent/src/deadlines/texts.ts'
import { pathFault } from '../../agent/src/files/path-fault.ts'
import { writePatchList } from '../../agent/src/patches/patch-list.ts'
import { linux } from '../../agent/src/platform/linux/index.ts'
import { toBody } from '../../agent/src/platform/linux/notifications.ts'
import { toEnvironmentBlock } from '../../agent/src/platform/windows/command-line.ts'
import { toConfiguration } from '../../agent/src/platform/windows/commands/configuration-text.ts'
import { findShellFault } from '../../agent/src/platform/windows/shell-fault.ts'
import { collectionsFileIn, writeCollections } from '../../agent/src/work/collections-file.ts'
import { commandEnvironment } from '../../agent/src/work/command-environment.ts'
import { loadingProperties } from '../../agent/src/work/declared/msi-commands.ts'
import { resolveCommands } from '../../agent/src/work/declared/resolve-commands.ts'
import { runCommand } from '../../agent/src/work/run-command.ts'
import { modelRuns } from '../../server/test/world/model-runs.ts'
import { forHostileValues } from './hostile-values.ts'
import { msiPropertyFor, windows } from './windows-platform.ts'

const folder = await mkdtemp(join(tmpdir(), 'muster-values-'))
afterAll(() => rm(folder, { recursive: true }))

const command = { timeLimitMinutes: 1, successCodes: [0], rebootCodes: [] }
const subject = (variables: Record<string, string>) => ({
  kind: 'Install' as const,
  package: {
    packageId: '1',
    contentHash: '',
    name: 'p',
    version: '1',
    kind: 'Software' as const,
    operatingSystems: [],
  },
  folder,
  variables,
})

test('a command on Linux gets the value of a variable in its environment, or fails with the name of the variable', async () => {
  await forHostileValues(async (value) => {
    await rm(join(folder, 'arrived'), { force: true })
    const environment = commandEnvironment(subject({ 'Place.Value': value }), { 'Place.Secret': value })
    const shell =
      'printf %s "$MUSTER_VAR_PLACE_VALUE" > arrived; test "$MUSTER_VAR_PLACE_VALUE" = "$MUSTER_SECRET_PLACE_SECRET"'

    const end = await runCommand(linux.processes, { command: { ...command, shell }, folder, environment })

    if (value.includes('\0')) expect(end.errorText).toContain('MUSTER_VAR_PLACE_VALUE contains a NUL character')
    else if (Buffer.byteLength(value) > 131_000) expect(end.errorText).toContain('MUSTER_VAR_PLACE_VALUE has')
    else {
      expect(end).toMatchObject({ outcome: 'success' })
      expect(await readFile(join(folder, 'arrived'), 'utf8')).toBe(value)
    }
    // The value may be a secret.
    expect(end.errorText?.length ?? 0).toBeLessThan(200)
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })
})

test('variables that are too long together fail the command with a reason', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`V${at}`, 'x'.repeat(60_000)]))

  const end = await runCommand(linux.processes, {
    ...{ command: { ...command, shell: 'true' }, folder },
    environment: commandEnvironment(subject(many)),
  })

  expect(end).toMatchObject({ outcome: 'failed', errorText: expect.stringContaining('longer together') })
})

test('a process on Windows gets the value of a variable in its environment, or is refused with the name of the variable', async () => {
  await forHostileValues((value) => {
    const environment = { A: '1', MUSTER_VAR_VALUE: value, Z: '2' }
    if (value.includes('\0')) expect(() => toEnvironmentBlock(environment)).toThrow('MUSTER_VAR_VALUE contains a NUL')
    else if (value.length > 32_700) expect(() => toEnvironmentBlock(environment)).toThrow('MUSTER_VAR_VALUE has 6')
    else
      expect(toEnvironmentBlock(environment).toString('utf16le').split('\0')).toEqual([
        ...['A=1', `MUSTER_VAR_VALUE=${value}`, 'Z=2', '', ''],
      ])
  })
})

test('whatever a variable is called, its name in the environment has a prefix and can be no other variable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
      const own = new Set(Object.keys(commandEnvironment(subject({}))))
      const names = Object.keys(commandEnvironment(subject({ [name]: 'x' }), { [name]: 'y' }))
      for (const added of names.filter((one) => !own.has(one))) expect(added).toMatch(/^MUSTER_(VAR|SECRET)_[A-Z\d_]*$/)
    }),
    { numRuns: modelRuns(20) },
  )
})

test('a property of an MSI file is the value of the variable between quotation marks, or the work fails with a reason', async () => {
  await forHostileValues(async (value) => {
    const fate = await msiPropertyFor(value)

    if (/["\p{Cc}]/u.test(value)) expect(fate).toEqual({ refused: expect.stringContaining('a control character') })
    else if (value.length > 30_000) expect(fate).toEqual({ refused: expect.stringContaining('more than 32000') })
    else expect(fate).toEqual({ arrived: value })
  })
})

test.each(loadingProperties)(
  'no variable is part of the property %s of an MSI file, which chooses what runs',
  async (name) => {
    for (const property of [name, name.toLowerCase()]) {
      const msi = { file: 'x.msi', properties: { [property]: '%muster_var_LANGUAGE%.mst' }, timeLimitMinutes: 1 }
      const environment = { MUSTER_VAR_LANGUAGE: '\\\\evil\\share\\x.mst;de' }
      const manifest = { kind: 'software', operatingSystems: ['Windows'], commands: {}, msi } as never

      const found = await resolveCommands(
        windows,
        { msi, commands: {} },
        { folder, files: [], environment, kind: 'Install' },
      )

      expect(found).toContain('whose value would choose what runs')
      expect(findCommandFault(manifest)).toMatchObject({
        property: `msi.properties.${property}`,
        predicate: expect.stringContaining('its value would choose what runs'),
      })
    }
    expect(importedLoadingProperties).toEqual(loadingProperties)
  },
)

test('a property of an MSI file whose variable has no value fails the work, and removing the product does not', async () => {
  const msi = { file: 'x.msi', properties: { A: '%MUSTER_VAR_NONE%', B: '"' }, timeLimitMinutes: 1 }
  const place = { folder, files: [], environment: {} }

  const installing = await resolveCommands(windows, { msi, commands: {} }, { ...place, kind: 'Install' })
  const removing = await resolveCommands(windows, { msi, commands: {} }, { ...place, kind: 'Uninstall' })

  expect(installing).toContain('MUSTER_VAR_NONE, which has no value for this computer')
  expect(removing).toMatchObject({ uninstall: { installer: { line: expect.stringContaining('/x {') } } })
})

test.each([
  'setup.exe /name "%MUSTER_VAR_NAME%"',
  'setup.exe %muster_secret_key%',
  'setup.exe %MUSTER_VAR_NAME:~0,3%',
  'call setup.exe %%MUSTER_VAR_NAME%%',
  'call setup.exe %^MUSTER_VAR_NAME%',
])('the line %j is not given to cmd, and the reason says what to write instead', async (shell) => {
  const place = { kind: 'Install' as const, folder, files: [], environment: {} }

  const found = await resolveCommands(windows, { commands: { detect: { ...command, shell } } }, place)
  const asWord = await resolveCommands(
    windows,
    { commands: { detect: { ...command, argv: ['cmd', '/c', shell] } } },
    place,
  )

  expect(asWord).toBe(found)
  expect(found).toMatch(/its command to detect mentions %MUSTER_.*\$env:MUSTER_.*!MUSTER_/i)
  expect(findShellFault('echo %ProgramFiles% !MUSTER_VAR_A! $env:MUSTER_VAR_A %MUSTER_WORK_KIND%')).toBeUndefined()
})

test('the files for collections and patches contain the value and nothing else', async () => {
  await forHostileValues(async (value) => {
    await writeCollections(folder, { [value]: [{ [value]: value }] })
    const patch = { patchId: 1, productId: 1, key: value, name: value, product: value, files: [value] }
    await writePatchList(folder, [patch])

    expect(JSON.parse(await readFile(collectionsFileIn(folder), 'utf8'))).toEqual({ [value]: [{ [value]: value }] })
    const list = await readFile(join(folder, 'muster-patches.json'), 'utf8')
    expect(JSON.parse(list)).toEqual([patch])
    expect(list.trimEnd()).not.toContain('\n')
  })
})

test('a question shows names of packages on one line, visibly and not at any length', async () => {
  await forHostileValues((value) => {
    const named = { packageId: '1', contentHash: '', name: value, version: value, kind: 'Software' as const }

    for (const texts of Object.values(userTexts)) {
      const text = describeWork([{ kind: 'Install', package: { ...named, operatingSystems: [] } }], texts)

      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(text.length).toBeLessThan(200)
      // Desktops read a part of HTML in notifications.
      expect(toBody(text)).not.toMatch(/[<>]/)
    }
  })
})

test('the configuration of the agent on Windows contains the value, or the installation is refused', async () => {
  await forHostileValues((value) => {
    const values = { server: 'https://muster.example.org', token: value }
    if (/['\p{Cc}]/u.test(value)) expect(() => toConfiguration(values)).toThrow('TOKEN must not contain')
    else
      expect(parseEnv(toConfiguration(values))).toEqual({
        MUSTER_AGENT_SERVER: values.server,
        ...(value && { MUSTER_AGENT_TOKEN: value }),
      })
  })
})

test('no path of a file leaves the folder of the package or means another file on Windows', async () => {
  await forHostileValues((value) => {
    if (pathFault(value) !== undefined) return
    expect(join(folder, value).startsWith(`${folder}/`)).toBe(true)
    expect(value).not.toMatch(/[<>:"|?*\\]|[. ](\/|$)|\p{Cc}/u)
  })
  for (const path of ['a.txt:b', 'ab::$DATA', 'NUL', 'a/con.txt', 'a./b', 'a '])
    expect(pathFault(path)).toContain('Windows')
})
