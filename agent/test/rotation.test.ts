import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credential as first } from './fake-server.ts'
import { openWorld, until } from './world.ts'

const second = 'agent-7.second-secret'

const identityIn = async (state: string) => JSON.parse(await readFile(join(state, 'identity.json'), 'utf8'))

test('an offered credential is stored before it is used, and replaces the first one', async () => {
  const { server, state, runOnce } = await openWorld()
  server.offeredCredential = second

  expect((await runOnce()).code).toBe(0)
  const stored = await identityIn(state)
  const before = server.validCredentials
  expect((await runOnce()).code).toBe(0)

  expect(stored).toMatchObject({ credential: second, previousCredential: first })
  expect([before, server.validCredentials]).toEqual([[first], [second]])
})

test('a credential for another computer, for which an administrator has confirmed the agent, makes it the agent of that one', async () => {
  const { server, state, runOnce } = await openWorld()
  server.offeredCredential = 'agent-8.second-secret'

  expect((await runOnce()).code).toBe(0)

  expect(await identityIn(state)).toMatchObject({ clientId: 8, credential: 'agent-8.second-secret' })
})

test('an agent that is killed when the answer with an offer arrives keeps its credential or has the new one', async () => {
  const { server, state, start, runOnce } = await openWorld()
  server.offeredCredential = second
  for (const delayMs of [0, 1, 3, 10, 30]) {
    const running = start('run')
    const contacts = server.contacts.length
    await until(() => server.contacts.length > contacts, 'a contact')
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    await running.kill()
    expect([first, second]).toContain((await identityIn(state)).credential)
  }

  expect((await runOnce()).code).toBe(0)
  expect((await runOnce()).code).toBe(0)
  expect(server.validCredentials).toEqual([second])
})

test('an agent that never received the answer keeps its credential and accepts the next offer', async () => {
  const { server, state, runOnce } = await openWorld()
  server.offeredCredential = 'agent-7.lost-secret'
  server.interfere = (call, answer) => {
    if (!call.path.endsWith('/contact')) return false
    answer.destroy()
    return true
  }
  expect((await runOnce()).code).toBe(1)
  expect(await identityIn(state)).toMatchObject({ credential: first })
  server.interfere = () => false
  server.offeredCredential = second

  expect((await runOnce()).code).toBe(0)
  expect((await runOnce()).code).toBe(0)

  expect(server.validCredentials).toEqual([second])
})

test('an agent that cannot store an offer works on with its credential', async () => {
  const { server, state, runOnce } = await openWorld()
  server.offeredCredential = second
  // The file in which the new identity is prepared cannot be created.
  await mkdir(join(state, 'identity.json.new', 'occupied'), { recursive: true })
  const workId = server.give()

  expect((await runOnce()).code).toBe(0)

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(await identityIn(state)).toMatchObject({ credential: first })
  expect(server.validCredentials).toEqual([first])
})

test('an agent falls back to its previous credential when the server was restored to a time before the change', async () => {
  const { state, runOnce } = await openWorld()
  const identity = await identityIn(state)
  const rotated = { ...identity, credential: second, previousCredential: first }
  await writeFile(join(state, 'identity.json'), JSON.stringify(rotated))

  const restored = await runOnce()
  const stored = await identityIn(state)

  expect(restored.code).toBe(0)
  expect(stored).toMatchObject({ credential: first, previousCredential: second })
})

test('an agent whose credentials are both refused for a while loses neither of them', async () => {
  const { server, state, runOnce } = await openWorld()
  const rotated = { ...(await identityIn(state)), clientId: 8, credential: 'agent-8.new', previousCredential: first }
  await writeFile(join(state, 'identity.json'), JSON.stringify(rotated))
  server.validCredentials = []
  const refused = await runOnce()
  server.validCredentials = ['agent-8.new']

  const accepted = await runOnce()

  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('401') })
  expect(accepted.code).toBe(0)
  expect(await identityIn(state)).toMatchObject({ clientId: 8, credential: 'agent-8.new' })
})
