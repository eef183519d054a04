import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { limitPipelining } from '../../../src/platform/http/pipelined-requests.ts'
import { addProblemAnswers } from '../../../src/platform/http/send-problem.ts'
import { type AnyOperation, eventStreamType } from '../../../src/platform/operation.ts'

/** A service whose answers wait for `release`. */
async function openService() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  const app = Fastify()
  addProblemAnswers(app)
  limitPipelining(app)
  app.get('/', async () => {
    begun++
    await released
    return 'x'
  })
  const operation = { answerType: eventStreamType } as AnyOperation
  app.get('/events', { config: { operation } }, async () => {
    await released
    return 'x'
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  onTestFinished(async () => {
    release()
    app.server.closeAllConnections()
    await app.close()
  })
  return { port: Number(port), release, begun: () => begun }
}

/** Sends requests for the paths at once, without waiting for answers. */
function pipeline(port: number, paths: readonly string[]) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  return { statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)) }
}

test('of many requests that a connection sends without waiting for answers, only sixteen are begun', async () => {
  const { port, release, begun } = await openService()
  const { statuses } = pipeline(port, Array(500).fill('/'))
  await expect.poll(begun).toBeGreaterThan(0)
  await sleep(200)

  expect(begun()).toBe(16)
  release()
  await expect.poll(() => statuses().slice(0, 17)).toEqual([...Array(16).fill(200), 429])
})

test('requests that a connection sends one after the other are not limited', async () => {
  const { port, release } = await openService()
  release()
  const statuses: number[] = []
  for (let sent = 0; sent < 40; sent++) statuses.push((await fetch(`http://127.0.0.1:${port}`)).status)

  expect(statuses).toEqual(Array(40).fill(200))
})

test('of the requests that a connection sends behind a stream of events, none is begun', async () => {
  const { port, release, begun } = await openService()
  const { statuses } = pipeline(port, ['/', '/events', '/', '/events'])
  await expect.poll(begun).toBe(1)
  await sleep(200)

  expect(begun()).toBe(1)
  release()
  // The connection is closed with the first answer that refuses a request.
  await expect.poll(statuses).toEqual([200, 200, 429])
})
