import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noAnswerNames, noAnswers } from '../../tools/no-answers.ts'
import { openConnections } from '../src/http/connections.ts'
import { serverClient } from '../src/server-client.ts'
import { startWakeChannel, type WakeLimits } from '../src/wake-channel.ts'
import { credential } from './fake-server.ts'
import { openWorld, until } from './world.ts'

/** A server whose only operation is the wake connection, and a channel that is connected to it. */
async function openChannel(answer: (response: ServerResponse) => void, limits: Partial<WakeLimits> = {}) {
  const requests: ServerResponse[] = []
  const server = createServer((_, response) => {
    requests.push(response)
    answer(response)
  }).listen(0, '127.0.0.1')
  await until(() => server.listening)
  const connections = openConnections()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const calls: number[] = []
  const stopping = new AbortController()
  const channel = startWakeChannel({
    client: async () => serverClient(connections, url, credential),
    onCall: () => void calls.push(performance.now()),
    stopping: stopping.signal,
    limits: { firstPauseMs: 20, maxPauseMs: 100, reconnectSpreadMs: 50, ...limits },
  })
  onTestFinished(() => {
    stopping.abort()
    server.closeAllConnections()
    server.close()
  })
  return { channel, calls, requests }
}

const open = (response: ServerResponse) => void response.writeHead(200).write('\n')

test('a running agent makes contact when the server calls it, and says that it is connected', async () => {
  const { server, start } = await openWorld()
  const opened: ServerResponse[] = []
  server.interfere = ({ path }, response) => {
    if (!path.endsWith('/wake')) return false
    opened.push(response)
    response.writeHead(200).write('\n')
    return true
  }
  start('run')
  await until(() => opened.length > 0 && server.contacts.length > 0)
  const before = server.contacts.length

  opened[0]?.write('contact\n')

  await until(() => server.contacts.length > before)
  expect(server.contacts.at(-1)).toMatchObject({ connected: true })
  expect(server.calls.find(({ path }) => path.endsWith('/wake'))).toMatchObject({
    authorization: `Bearer ${credential}`,
  })
})

test('an agent of a server without the channel says nothing about it and works as before', async () => {
  const { server, start } = await openWorld()
  server.nextContactSeconds = 0.05

  start('run')
  await until(() => server.contacts.length >= 3)

  expect(server.contacts.every((contact) => !('connected' in contact))).toBe(true)
  expect(server.calls.filter(({ path }) => path.endsWith('/wake'))).toHaveLength(1)
})

test('contact asks the running agent for a contact, and waits for it', async () => {
  const { server, agent, start } = await openWorld()
  start('run')
  await until(() => server.contacts.length === 1)
  await sleep(300)

  const { code, output } = await agent('contact')

  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^Contact made at 2/) })
  expect(server.contacts).toHaveLength(2)
})

test('contact says that the agent is not running', async () => {
  const { agent } = await openWorld()

  const { code, output } = await agent('contact')

  expect(code).toBe(1)
  expect(output).toContain('The agent is not running.')
})

test('nothing but the one word asks for a contact', async () => {
  const { channel, calls, requests } = await openChannel(open)
  await until(() => channel.isConnected())

  const others = ['contacts', 'CONTACT', ' contact', 'contact ', 'contact\r', 'x'.repeat(5_000), 'con', 'tact']
  for (const line of others) requests[0]?.write(`${line}\n`)
  await sleep(100)
  const wordsOfOthers = calls.length
  for (const part of ['con', 'tac', 't\n']) {
    requests[0]?.write(part)
    await sleep(10)
  }

  await until(() => calls.length === 1)
  expect(wordsOfOthers).toBe(0)
})

test('calls are apart from each other, however often the server repeats them', async () => {
  const { channel, calls, requests } = await openChannel(open, { minCallIntervalMs: 200 })
  await until(() => channel.isConnected())

  const end = performance.now() + 700
  while (performance.now() < end) {
    requests[0]?.write('contact\n'.repeat(10))
    await sleep(10)
  }

  const pauses = calls.slice(1).map((time, at) => time - (calls[at] ?? 0))
  expect(calls.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...pauses)).toBeGreaterThan(190)
})

test('a server that sends without end loses the connection', async () => {
  const flood = (response: ServerResponse) => {
    response.writeHead(200)
    const write = () => {
      if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(write))
    }
    write()
  }
  const { requests, calls } = await openChannel(flood)

  await until(() => requests.length >= 3)

  expect(requests[0]?.destroyed).toBe(true)
  expect(calls).toEqual([])
})

test('a connection that falls silent is closed, and another one is opened', async () => {
  const { channel, requests } = await openChannel(open, { maxSilenceMs: 150 })
  await until(() => channel.isConnected())

  await until(() => requests.length >= 2)

  expect(requests[0]?.destroyed).toBe(true)
})

test('signs of life keep a connection', async () => {
  const { channel, requests } = await openChannel(open, { maxSilenceMs: 150 })
  await until(() => channel.isConnected())

  for (let beat = 0; beat < 10; beat++) {
    requests[0]?.write('\n')
    await sleep(50)
  }

  expect(channel.isConnected()).toBe(true)
  expect(requests).toHaveLength(1)
})

test('an agent that lost its connection makes one contact, because it may have missed a call', async () => {
  const { channel, calls, requests } = await openChannel(open, { maxMissedMs: 200 })
  await until(() => channel.isConnected())

  requests[0]?.destroy()

  await until(() => calls.length === 1 && requests.length >= 2)
})

test('an agent whose connection was ended by the server connects again and makes no contact', async () => {
  const { channel, calls, requests } = await openChannel(open, { maxMissedMs: 50, minLifeMs: 0 })
  await until(() => channel.isConnected())

  requests[0]?.end()
  await until(() => requests.length >= 2)
  await sleep(100)

  expect(calls).toEqual([])
})

test('a computer that wakes up, such as by Wake-on-LAN, makes contact and connects again at once', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { channel, calls, requests } = await openChannel(open)
  await until(() => channel.isConnected())

  vi.setSystemTime(Date.now() + 3_600_000)
  vi.advanceTimersByTime(5_000)

  await until(() => calls.length === 1 && requests.length >= 2)
})

test('a server that ends every connection at once is asked less and less often', async () => {
  const { requests } = await openChannel((response) => void response.writeHead(200).end('\n'), {
    firstPauseMs: 10,
    maxPauseMs: 10_000,
    reconnectSpreadMs: 1,
  })

  await sleep(800)

  expect(requests.length).toBeLessThan(9)
})

test.each(noAnswerNames)('%s instead of an answer does not end the channel', async (name) => {
  let isHostile = true
  const answer = (response: ServerResponse) => {
    if (isHostile && response.socket) noAnswers[name](response.socket)
    else open(response)
    isHostile = false
  }
  const { channel } = await openChannel(answer, { maxSilenceMs: 500 })

  await until(() => channel.isConnected())
})
