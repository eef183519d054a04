import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GivenWork } from '../../../agent/test/given-work.ts'
import type { AgentKind } from '../../../agent/test/shared/agent-kind.ts'
import { buildTestMsi, type TestMsi } from './package-msi.ts'

/** Refuses the first installation as Windows does while another one runs. cmd finds it before the real program. */
const busyInstaller = [
  '@echo off',
  'echo run>>"%ROOT%\\installations"',
  'if exist "%ROOT%\\was-busy" goto install',
  'echo busy>"%ROOT%\\was-busy"',
  'exit /b 1618',
  ':install',
  '%SystemRoot%\\system32\\msiexec.exe %*',
  'exit /b %ERRORLEVEL%',
].join('\r\n')

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
    const { server, give, runOnce, left } = await kind.open()
    const [smallFile, restartFile] = [await buildTestMsi(small), await buildTestMsi(restarting)]
    const absent = await buildTestMsi({ ...small, name: 'Absent', family: '5000', code: '5001' })
    const works = [
      give(workOn(smallFile, { files: { 'msiexec.cmd': busyInstaller } })),
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
    // The first one was refused once, because another installation was running.
    expect(left('installations')?.trim().split(/\s+/)).toEqual(['run', 'run'])
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
    const busy = give(
      workOn(await buildTestMsi(small), {
        files: { 'msiexec.cmd': '@exit /b 1618' },
        declared: { msi: { file: 'x.msi', properties: {}, timeLimitMinutes: 0.02 } },
      }),
    )

    await runOnce()

    const result = server.resultOf(failing)
    expect(result).toMatchObject({ status: 'Failed', installationState: 'NotInstalled', exitCode: 1603 })
    expect(result?.errorText).toMatch(
      /exited with code 1603\. From its log:\n[\s\S]*Action ended [\d:]+: \*\*\*\. Return/,
    )
    expect(result?.output).toContain('Evaluating launch conditions')
    expect(`${result?.output}${result?.errorText}`).not.toContain('LaunchConditions')
    expect(server.resultOf(broken)?.errorText).toContain('x.msi is not an MSI file')
    expect(server.resultOf(busy)).toMatchObject({ status: 'Failed', exitCode: 1618 })
    expect(server.resultOf(busy)?.errorText).toContain('another installation was running')
    expect(installed('Program Files/Refused/refused.txt')).toBe(false)
  })
}
