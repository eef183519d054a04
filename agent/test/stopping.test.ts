import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Contact } from '../src/protocol.ts'
import { openWorld, until, waiting } from './world.ts'

test('after SIGTERM the running command finishes and is reported, and nothing else starts', async () => {
  const { server, root, start, left, times } = await openWorld()
  const first = server.give({ commands: { install: waiting('true', 'true') } })
  server.give({ commands: { install: { shell: 'echo run >> "$ROOT/runs"' } } })
  const agent = start('run')
  await until(() => left('begun'))

  agent.child.kill('SIGTERM')
  await until(() => agent.output().includes('SIGTERM'))
  await writeFile(join(root, 'go-on'), '')
  const { code } = await agent.ended

  expect(code).toBe(0)
  expect(server.resultOf(first)).toMatchObject({ status: 'Success' })
  expect(times('runs')).toBe(0)
})

test('results that a contact carries when the agent is stopped are reported before it ends', async () => {
  const { server, start } = await openWorld()
  server.exchangesAtContact = true
  const workId = server.give({ commands: { install: { shell: 'true' } } })
  const carriesResults = ({ body }: { body?: unknown }) => (body as Partial<Contact>)?.results?.length === 1
  server.interfere = (call) => (carriesResults(call) ? new Promise(() => {}) : false)
  const agent = start('run')
  await until(() => server.calls.some(carriesResults))

  agent.child.kill('SIGTERM')
  const { code } = await agent.ended

  expect(code).toBe(0)
  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
})

test.each([
  { way: 'requests', exchangesAtContact: false },
  { way: 'contacts', exchangesAtContact: true },
])(
  'twelve deployments with an agent that is killed again and again are each done exactly once, by $way',
  async ({ exchangesAtContact }) => {
    const { server, start, runOnce, left } = await openWorld()
    server.exchangesAtContact = exchangesAtContact
    const count = 12
    const works = Array.from({ length: count }, (_, index) =>
      server.give({
        commands: {
          install: { shell: `sleep 0.0${index % 5}; echo ${index} >> "$ROOT/done"` },
          detect: { shell: `grep -qx ${index} "$ROOT/done"` },
        },
      }),
    )
    for (let round = 0; round < 4; round++) {
      const agent = start('run')
      await until(() => agent.output().includes('is running for'))
      await sleep(Math.random() * 400)
      await agent.kill()
      for (const workId of works) server.endLease(workId)
    }

    await runOnce()

    expect(
      left('done')
        ?.trim()
        .split('\n')
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual([...Array(count).keys()])
    for (const workId of works) expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  },
)
