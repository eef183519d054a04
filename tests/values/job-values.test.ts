import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildJob, type Job } from '../../server/src/channels/fusion/jobs/build-job.ts'
import type { LeasedWorkItem } from '../../server/src/channels/fusion/jobs/refusals.ts'
import type { PackageContent } from '../../server/src/features/deployments/started-work/package-content.ts'
import { forHostileValues, storableValues } from './hostile-values.ts'

const folder = await mkdtemp(join(tmpdir(), 'muster-jobs-'))
afterAll(() => rm(folder, { recursive: true }))

const item = { kind: 'Install', package: { name: 'p', version: '1' } } as LeasedWorkItem

const content = (given: Partial<PackageContent>): PackageContent => ({
  ...{ commands: {}, files: [], secretNames: [] },
  ...given,
})

function jobWith(given: Partial<PackageContent>, isWindows: boolean, value = ''): Job | string {
  return buildJob(item, content(given), [], { isWindows, mirror: '', variables: { 'Place.Value': value } })
}

/** The commands of a job, each with the text that the agent gives to a shell. */
function commandsOf(job: Job): { exec: string; envs: Record<string, string> }[] {
  return job.actions.flatMap((action) => ('cmd' in action ? [action.cmd as never] : []))
}

test('a job on Linux or macOS gets the value of a variable in its environment, in ASCII, or fails with a reason', async () => {
  const shell = 'printf %s "$MUSTER_VAR_PLACE_VALUE" > arrived; env > environment'
  await forHostileValues(async (value) => {
    const job = jobWith({ commands: { install: { shell } } }, false, value)
    if (typeof job === 'string') {
      expect(Buffer.byteLength(value)).toBeGreaterThan(120_000)
      return expect(job).toMatch(/^The variable MUSTER_\w+ has \d+ bytes with its name/)
    }
    const [command] = commandsOf(job)
    const { exec = '', envs = {} } = command ?? {}

    const { status, stderr } = spawnSync('/bin/sh', ['-c', exec], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...envs },
    })

    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
    expect(await readFile(join(folder, 'arrived'), 'utf8')).toBe(value)
    expect(await readFile(join(folder, 'environment'), 'utf8')).not.toContain('MUSTER_ENCODED')
    expect(Object.values(envs).every((one) => /^\p{ASCII}*$/u.test(one))).toBe(true)
    if (value.length > 12) expect(exec).not.toContain(value)
    for (const ran of ['ran', 'x']) expect(existsSync(join(folder, ran))).toBe(false)
  }, storableValues)
})

test('a job on Windows gets the value of a variable in its environment only, or fails with a reason', async () => {
  const { argv } = { argv: ['setup.exe', '/name', 'a b'] }
  const [without] = commandsOf(jobWith({ commands: { install: { argv } } }, true) as Job)
  await forHostileValues((value) => {
    const job = jobWith({ commands: { install: { argv } } }, true, value)
    if (value.length > 32_700) return expect(job).toMatch(/^The variable MUSTER_VAR_PLACE_VALUE has \d+ characters/)
    const [command] = commandsOf(job as Job)
    expect(command?.envs.MUSTER_VAR_PLACE_VALUE).toBe(value)
    expect(command?.exec).toBe(without?.exec)
  }, storableValues)
})

test.each([
  ['shell', { commands: { install: { shell: 'setup.exe "%MUSTER_VAR_PLACE_VALUE%"' } } }],
  ['argv', { commands: { install: { argv: ['cmd', '/c', 'setup.exe %MUSTER_VAR_PLACE_VALUE%'] } } }],
  ['detect', { commands: { install: { argv: ['a.exe'] }, detect: { shell: 'b %muster_secret_x%' } } }],
  ['declared', { declared: { commands: { uninstall: { shell: '%MUSTER_VAR_PLACE_VALUE%' } } } }],
  ['property', { declared: { commands: {}, msi: { file: 'x.msi', properties: { A: 'b %MUSTER_VAR_PLACE_VALUE%' } } } }],
])('a job on Windows whose line would contain a value fails with the reason: %s', (_, given) => {
  const job = jobWith(given, true, 'x" & echo x> ran & rem "')

  expect(job).toMatch(/run what it finds/)
  expect(job).toMatch(/MUSTER_(VAR|SECRET)_/i)
})

test('a job on Windows still sets properties from variables of the system', () => {
  const properties = { TARGET: '%ProgramFiles%\\A b' }
  const job = jobWith({ declared: { commands: {}, msi: { file: 'x.msi', properties } } }, true)

  expect(commandsOf(job as Job)[0]?.exec).toContain('TARGET="%ProgramFiles%\\A b"')
})
