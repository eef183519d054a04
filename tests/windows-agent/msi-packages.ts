import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GivenWork } from '../../agent/test/given-work.ts'
import type { AgentKind } from '../../agent/test/shared/agent-kind.ts'
import { buildTestMsi, type TestMsi } from './package-msi.ts'

const workOn = (file: Buffer, given: GivenWork = {}): GivenWork => ({
  ...given,
  declared: { msi: { file: 'x.msi', properties: {}, timeLimitMinutes: 1, ...given.declared?.msi } },
  files: { 'x.msi': file, ...given.files },
})

/** What Windows Installer answers, with real MSI files. */
export function testMsiPackages(kind: AgentKind, drive: string): void {
  const installed = (path: string) => existsSync(join(drive, path))
  const refused: TestMsi = { name: 'Refused', version: '1.0.0', family: '2000', code: '2001', refusal: 'Too old.' }
  const small: TestMsi = { name: 'Small', version: '1.0.0', family: '3000', code: '3001', isFor32Bits: true }
  const restarting: TestMsi = { name: 'Restart', version: '1.0.0', family: '4000', code: '4001', needsRestart: true }

  test('an MSI for 32 bits is detected, a restart is required by its code, and the removal of an absent product succeeds', async () => {
    const { server, give, runOnce } = await kind.open()
    const [smallFile, restartFile] = [await buildTestMsi(small), await buildTestMsi(restarting)]
    const absent = await buildTestMsi({ ...small, name: 'Absent', family: '5000', code: '5001' })
    const works = [
      // Only the program of Windows is msiexec, whatever the package contains.
      give(workOn(smallFile, { files: { 'msiexec.cmd': '@exit /b 1618', 'msiexec.exe': 'none' } })),
      give(workOn(restartFile)),
      give(workOn(absent, { kind: 'Uninstall' })),
      give(workOn(smallFile, { kind: 'Uninstall' })),
    ]

    await runOnce()

    expect(works.map((id) => server.resultOf(id))).toMatchObject([
      { status: 'Success', installationState: 'Installed', exitCode: 0 },
      { status: 'Success', installationState: 'Installed', exitCode: 3010, rebootRequired: true },
      { status: 'Success', installationState: 'Uninstalled', exitCode: 1605 },
      { status: 'Success', installationState: 'Uninstalled', exitCode: 0 },
    ])
    expect(installed('Program Files/Restart/restart.txt')).toBe(true)
    expect(installed('Program Files (x86)/Small/small.txt')).toBe(false)
  })

  test('the result of an MSI that fails contains the part of the log that shows why, without secrets', async () => {
    const { server, give, runOnce } = await kind.open()
    const properties = { LICENCE: '%MUSTER_SECRET_LICENCE%' }
    const failing = give(
      workOn(await buildTestMsi(refused), {
        secrets: { Licence: 'LaunchConditions' },
        declared: { msi: { file: 'x.msi', properties, timeLimitMinutes: 1 } },
      }),
    )
    const broken = give(workOn(Buffer.from('not an MSI file')))

    await runOnce()

    const result = server.resultOf(failing)
    expect(result).toMatchObject({ status: 'Failed', installationState: 'NotInstalled', exitCode: 1603 })
    expect(result?.errorText).toMatch(
      /exited with code 1603\. From its log:\n[\s\S]*Action ended [\d:]+: \*\*\*\. Return/,
    )
    expect(result?.output).toContain('Evaluating launch conditions')
    expect(`${result?.output}${result?.errorText}`).not.toContain('LaunchConditions')
    expect(server.resultOf(broken)?.errorText).toContain('x.msi is not an MSI file')
    expect(installed('Program Files/Refused/refused.txt')).toBe(false)
  })

  test('values of variables arrive in properties and in the environment as they are, and none of them is run', async () => {
    const { server, give, runOnce, left } = await kind.open()
    const values = [
      'two words & "',
      "it's %PATH% | ^ > <",
      'C:\\dir\\',
      'ä日 !PATH! \u202e',
      'x" & echo x>>"%ROOT%\\ran" & rem "',
    ]
    const names = values.map((_, at) => `VALUE${at}`)
    const msi: TestMsi = { name: 'Values', version: '1.0.0', family: '7000', code: '7001', recorded: names }
    const variables = Object.fromEntries(values.map((value, at) => [`Value${at}`, value]))
    const file = await buildTestMsi(msi)
    const given = (wanted: readonly string[]): GivenWork => {
      const properties = Object.fromEntries(wanted.map((name) => [name, `%MUSTER_VAR_${name}%`]))
      return workOn(file, { variables, declared: { msi: { file: 'x.msi', properties, timeLimitMinutes: 1 } } })
    }
    const [literal, quoted] = [give(given(names.slice(1, 4))), give(given(['VALUE0']))]
    // Nothing but the environment brings the values to the command, which writes them to a file.
    const shown = give({ variables, commands: { install: { shell: 'set MUSTER_VAR_VALUE>>"%ROOT%\\shown"' } } })
    const recorded = give({ commands: { install: { shell: 'reg query HKLM\\Software\\Values' } } })
    const pasted = give({ variables, commands: { install: { shell: 'echo "%MUSTER_VAR_VALUE4%"' } } })
    const batch = give({
      variables,
      commands: { install: { shell: 'a.cmd' } },
      files: { 'a.cmd': '@echo "%MUSTER_VAR_VALUE4%"' },
    })
    const long = give({ variables: { Long: 'x'.repeat(40_000) }, commands: { install: { shell: 'ver' } } })

    await runOnce()

    expect(server.resultOf(literal)).toMatchObject({ status: 'Success', installationState: 'Installed' })
    expect(server.resultOf(literal)?.commandLine).toContain('VALUE1="%MUSTER_VAR_VALUE1%"')
    expect(server.resultOf(quoted)?.errorText).toContain('property VALUE0 contains a quotation mark')
    for (const value of values.slice(1, 3)) expect(server.resultOf(recorded)?.output).toContain(`is ${value}`)
    expect(server.resultOf(shown)).toMatchObject({ status: 'Success' })
    for (const [at, value] of values.slice(0, 3).entries())
      expect(left('shown')).toContain(`MUSTER_VAR_VALUE${at}=${value}`)
    for (const id of [pasted, batch]) expect(server.resultOf(id)?.errorText).toContain('mentions %MUSTER_VAR_VALUE4%')
    expect(server.resultOf(long)?.errorText).toContain('the variable MUSTER_VAR_LONG has')
    expect(left('ran')).toBeUndefined()
  })
}
