import { expect, test } from 'vitest'
import { csvContent, csvType, operation } from '../../../src/platform/operation.ts'
import { openWorld } from '../../world/open-world.ts'

let parts = 0
let isClosed = false

const exportForever = operation({
  id: 'exportForever',
  route: 'GET /api/service/endless',
  summary: 'Answer with lines until the client goes away',
  role: 'computer.read',
  answerType: csvType,
  returns: csvContent,
  async handle() {
    return endless()
  },
})

async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) {
      parts += 1
      yield `${'x'.repeat(100_000)}\r\n`
    }
  } finally {
    isClosed = true
  }
}

const exportNothing = operation({
  ...exportForever,
  id: 'exportNothing',
  route: 'GET /api/service/failing',
  execution: { kind: 'Read' },
  async handle() {
    return failing()
  },
})

// biome-ignore lint/correctness/useYield: a source that fails before its first part.
async function* failing(): AsyncGenerator<string> {
  throw new Error('The database is gone.')
}

const { app, given, as } = await openWorld({ operations: [exportForever, exportNothing] })
const address = await app.http.listen({ host: '127.0.0.1', port: 0 })

async function authorization() {
  const { id } = await given.localPrincipal({ roles: ['computer.read'] })
  return `Bearer ${await app.services.tokens.issue(id)}`
}

test('an answer of any length waits for a slow client, and its source is closed when the client goes away', async () => {
  const leaving = new AbortController()
  const headers = { authorization: await authorization() }

  const answer = await fetch(`${address}/api/service/endless`, { headers, signal: leaving.signal })
  await expect.poll(() => parts).toBeGreaterThan(1)
  // With nobody reading, the buffers fill up and the source pauses.
  let before = 0
  const isPaused = () => {
    const paused = before === parts
    before = parts
    return paused
  }
  await expect.poll(isPaused, { interval: 300, timeout: 20_000 }).toBe(true)
  const isClosedBefore = isClosed
  leaving.abort()

  await expect.poll(() => isClosed).toBe(true)
  expect(answer.headers.get('content-type')).toBe(csvType)
  expect(isClosedBefore).toBe(false)
})

test('a source that fails before its first part is answered with a problem, and HEAD without reading on', async () => {
  const failed = await as('computer.read').send({ method: 'GET', url: '/api/service/failing' })
  const head = await as('computer.read').send({ method: 'HEAD', url: '/api/service/endless' })

  expect(failed.status).toBe(500)
  expect(head).toMatchObject({ status: 200, raw: undefined })
})
