import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openWorld, until } from './world.ts'

/** Changes how many files the running agent may open. Those that are open stay open. */
function allowDescriptors(pid: number | undefined, count: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${count}:`])
}

test('work that cannot begin because the agent has no free file descriptors is done later, and once', async () => {
  const { server, start, times } = await openWorld()
  const workId = server.give({ commands: { install: { shell: 'echo run >> "$ROOT/runs"' } } })
  let wasShort = false
  server.interfere = ({ path }) => {
    if (path.endsWith('/start') && !wasShort) {
      wasShort = true
      allowDescriptors(agent.child.pid, 1)
    }
    return false
  }

  const agent = start('run')
  await until(() => /EMFILE/.test(agent.output()))
  allowDescriptors(agent.child.pid, 1_024)
  await until(() => server.resultOf(workId) !== undefined)

  expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  expect(times('runs')).toBe(1)
}, 60_000)
