import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { findReasonAgainstToolsOfWine, openWine } from '../../agent/test/windows/wine.ts'
import { modelRuns } from '../../server/test/world/model-runs.ts'
import { buildTestMsi, productCodeOf } from '../windows-agent/package-msi.ts'
import { hostileValues, mixedValues } from './hostile-values.ts'
import { msiLineFor } from './windows-platform.ts'

const reason = findReasonAgainstToolsOfWine()
if (reason) console.warn(`msiexec is not tested: ${reason}.`)

const perInstallation = 20
/** cmd, which starts msiexec in this test, knows no longer lines. */
const maxLineLength = 8_000

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

const inGroups = (values: readonly string[]) =>
  Array.from({ length: Math.ceil(values.length / perInstallation) }, (_, at) =>
    values.slice(at * perInstallation, (at + 1) * perInstallation),
  )

describe.skipIf(reason)('msiexec', { timeout: 120_000 }, async () => {
  if (reason) return
  const wine = await openWine()
  afterAll(() => wine.close())
  const names = Array.from({ length: perInstallation }, (_, at) => `VALUE${at}`)
  const msi = { name: 'Values', version: '1.0.0', family: '7000', code: '7001', isFor32Bits: true, recorded: names }
  await writeFile(join(wine.drive, 'x.msi'), await buildTestMsi(msi))

  /**
   * Runs a line of msiexec as it is. In a batch file, only percent signs mean something between quotation marks, but it has the
   * characters of a code page. With delayed expansion, a line has all characters, but the cmd of Wine replaces !NAME! in it.
   */
  async function msiexec(line: string): Promise<number | null> {
    const written = isAscii(line) ? line.replaceAll('%', '%%') : '!LINE!'
    await writeFile(join(wine.drive, 'run.cmd'), `@cd /d C:\\\r\n@msiexec ${written}\r\n`)
    const options = isAscii(line) ? ['/d', '/c'] : ['/d', '/v:on', '/c']
    return (await wine.run(['cmd', ...options, 'C:\\run.cmd'], { LINE: line })).code
  }

  async function recordedValues(): Promise<Record<string, string>> {
    await wine.run(['reg', 'export', 'HKLM\\Software\\Wow6432Node\\Values', 'C:\\values.reg', '/y'])
    const text = (await readFile(join(wine.drive, 'values.reg'))).toString('utf16le')
    const entries = text.split('\r\n').flatMap((line) => {
      const [, name = '', value] = /^"(\w+)"="is (.*)"$/s.exec(line) ?? []
      return value === undefined ? [] : [[name, value.replaceAll(/\\(["\\])/g, '$1')]]
    })
    return Object.fromEntries(entries)
  }

  test('every value that the agent does not refuse is the value of the property, and nothing of it runs', async () => {
    const generated = fc.sample(mixedValues, modelRuns(40))
    const candidates = [...hostileValues, ...generated].filter((value) => value !== '' && value.length < 1_000)
    const fates = await Promise.all(candidates.map(async (value) => ({ value, fate: await msiLineFor({ A: value }) })))
    const accepted = fates.filter(({ fate }) => 'line' in fate).map(({ value }) => value)
    const others = accepted.filter((value) => !isAscii(value) && !value.includes('!'))
    expect(others.length).toBeGreaterThan(5)
    for (const values of [...inGroups(accepted.filter(isAscii)), ...inGroups(others)]) {
      const expected = Object.fromEntries(values.map((value, index) => [names[index] ?? '', value]))
      const built = await msiLineFor(expected)
      if (!('line' in built)) throw new Error(built.refused)
      expect(built.line.length).toBeLessThan(maxLineLength)

      expect(await msiexec(built.line)).toBe(0)

      // The msiexec of Wine makes one space of several.
      const literal = Object.entries(expected).map(([name, value]) => [name, value.replaceAll(/ +/g, ' ')])
      expect(await recordedValues()).toMatchObject(Object.fromEntries(literal))
      expect(existsSync(join(wine.drive, 'ran'))).toBe(false)
      expect(await msiexec(`/x ${productCodeOf(msi)} /qn`)).toBe(0)
    }
  })

  test('cmd runs a command in a value that is pasted into a line, which is why the agent has no such line', async () => {
    const value = 'x" & echo x> ran & rem "'
    const line = '@cd /d C:\\\r\n@msiexec /i "x.msi" VALUE0="%MUSTER_VAR_VALUE%" /qn\r\n'
    await writeFile(join(wine.drive, 'pasted.cmd'), line)

    await wine.run(['cmd', '/d', '/c', 'C:\\pasted.cmd'], { MUSTER_VAR_VALUE: value })

    expect(existsSync(join(wine.drive, 'ran'))).toBe(true)
  })
})
