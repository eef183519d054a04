import { execFileSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, until } from './world.ts'

/** A file system of one MiB in place of the state folder, where the system lets us. */
async function smallDisk(state: string): Promise<boolean> {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', state], { stdio: 'ignore' })
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('umount', ['-l', state]))
  return true
}

test('a result is stored although its command has filled the disk, and is reported after a kill', async () => {
  const { server, state, environment, start, runOnce, times } = await openWorld({ isEnrolled: false })
  await mkdir(state)
  const isSmall = await smallDisk(state)
  environment.STATE = state
  await start('enrol', '--server', server.url, '--token', 'right').ended
  const shell = isSmall ? 'echo run >> "$ROOT/runs"; cat /dev/zero > "$STATE/fill"; echo x' : 'echo run >> "$ROOT/runs"'
  const workId = server.give({ commands: { install: { shell: `${shell}; exit 5` } } })
  server.interfere = ({ path }) => (path.endsWith('/result') ? new Promise(() => undefined) : false)
  const agent = start('run')
  await until(() => server.calls.some(({ path }) => path.endsWith('/result')))
  await agent.kill()
  server.interfere = () => false
  await rm(join(state, 'fill'), { force: true })

  await runOnce()

  expect(times('runs')).toBe(1)
  expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Failed', exitCode: 5 })
})
