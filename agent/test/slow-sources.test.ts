import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noAnswerNames, noAnswers } from '../../tools/no-answers.ts'
import { openBandwidth } from '../src/files/bandwidth.ts'
import { contentCache } from '../src/files/content-cache.ts'
import { downloadFiles } from '../src/files/download.ts'
import type { Source } from '../src/files/source-pace.ts'
import { openConnections } from '../src/http/connections.ts'
import { sendRequest } from '../src/http/request.ts'
import { ServerUnavailable } from '../src/server-client.ts'
import { sha256 } from './given-work.ts'

// A fifth of a second stands for half a minute.
const paceLimits = { windowMs: 200, shareMs: 1_000, minBytesPerSecond: 32 * 1024 }
const timeLimitMs = 20_000
/** Much sooner than the time limit, on a busy machine as well. */
const soonMs = timeLimitMs / 2
const content = Buffer.alloc(200_000, 'a package file ')
const smaller = content.subarray(0, 80_000)

type Deliver = (answer: ServerResponse, rest: Buffer, request: IncomingMessage) => void

/** A source of the content, and the first byte of each request for it. */
async function openSource(name: string, deliver: Deliver, of = content): Promise<Source & { asked: number[] }> {
  const asked: number[] = []
  const server = createServer((request, answer) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    asked.push(from)
    answer.on('error', () => {})
    if (from > 0) answer.writeHead(206, { 'content-range': `bytes ${from}-${of.length - 1}/${of.length}` })
    deliver(answer, of.subarray(from), request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const connections = openConnections()
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { name, asked, ask: (_sha256, headers, signal) => sendRequest(connections, url, { headers, signal }) }
}

/** Delivers this many bytes, then pauses, and so on. */
const inParts =
  (bytes: number, everyMs: number): Deliver =>
  (answer, rest) => {
    let sent = 0
    const timer = setInterval(() => {
      answer.write(rest.subarray(sent, sent + bytes))
      sent += bytes
      if (sent >= rest.length) {
        clearInterval(timer)
        answer.end()
      }
    }, everyMs)
    answer.on('close', () => clearInterval(timer))
  }

const atOnce: Deliver = (answer, rest) => void answer.end(rest)
const dripping = inParts(1, 25)
const silent: Deliver = () => {}
const oneByteAndClosed: Deliver = (answer, rest) => void answer.write(rest.subarray(0, 1), () => answer.destroy())

async function openDownload(sources: Source[], limits = paceLimits) {
  const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [cached, incoming] = [join(root, 'cache'), join(root, 'incoming')]
  await Promise.all([mkdir(cached), mkdir(incoming)])
  const cache = contentCache(cached, incoming)
  const download = {
    cache,
    sources,
    signal: AbortSignal.timeout(timeLimitMs),
    endsAtMs: performance.now() + timeLimitMs,
    onProgress: () => {},
    bandwidth: openBandwidth(),
    paceLimits: limits,
  }
  return async (contents = [content]) => {
    const begin = performance.now()
    const files = contents.map((one, index) => ({ path: `file-${index}`, size: one.length, sha256: sha256(one) }))
    await downloadFiles(download, files, root)
    for (const file of files) expect(await cache.has(file)).toBe(true)
    return performance.now() - begin
  }
}

test.each([
  ['drips single bytes', dripping],
  ['does not answer', silent],
  ['drips the headers of its answer', (answer) => void answer.socket?.write('HTTP/1.1 200 OK\r\nx: ')],
  ['sends one byte and hangs up, again and again', oneByteAndClosed],
  ['delivers, but less than the time limit needs', inParts(400, 50)],
  [
    'sends other parts of the file again and again',
    (answer, rest, { headers }) => {
      answer.writeHead(200)
      answer.write(rest.subarray(0, headers.range === undefined ? 100 : 50), () => answer.destroy())
    },
  ],
] satisfies [string, Deliver][])('a depot that %s does not keep the agent from the server', async (_, deliver) => {
  const depot = await openSource('a depot', deliver)
  const server = await openSource('the server', atOnce)
  const run = await openDownload([depot, server])

  expect(await run()).toBeLessThan(soonMs)
  expect(server.asked).toHaveLength(1)
})

test.each(noAnswerNames)('a depot that sends %s does not keep the agent from the server', async (name) => {
  const depot = await openSource('a depot', ({ socket }) => socket && noAnswers[name](socket))
  const server = await openSource('the server', atOnce)
  const run = await openDownload([depot, server])

  expect(await run()).toBeLessThan(soonMs)
  expect(server.asked).toHaveLength(1)
})

test('a slow depot costs its time once, and not again for every file', async () => {
  const depot = await openSource('a depot', dripping)
  const files = Array.from({ length: 20 }, (_, index) => Buffer.alloc(5_000, `file ${index} `))
  const server: Source = {
    name: 'the server',
    ask: async (wanted, headers, signal) => {
      const file = files.find((one) => sha256(one) === wanted)
      const single = await openSource('one file', atOnce, file)
      return single.ask(wanted, headers, signal)
    },
  }
  const run = await openDownload([depot, server])

  await run(files)

  expect(depot.asked).toHaveLength(1)
})

test('a depot that delays every file almost until it is abandoned is asked last from then on', async () => {
  const small = Array.from({ length: 10 }, (_, index) => Buffer.from(`small ${index}`))
  const answering = (deliver: (answer: ServerResponse, file: Buffer) => void) => {
    const asked: string[] = []
    const source: Source = {
      name: 'any',
      ask: async (wanted, headers, signal) => {
        asked.push(wanted)
        const file = small.find((one) => sha256(one) === wanted)
        return (await openSource('one file', (answer, rest) => deliver(answer, rest), file)).ask(
          wanted,
          headers,
          signal,
        )
      },
    }
    return Object.assign(source, { asked })
  }
  const depot = answering((answer, rest) => void setTimeout(() => answer.end(rest), 700))
  const server = answering((answer, rest) => void answer.end(rest))
  const run = await openDownload([depot, server], { ...paceLimits, windowMs: 3_000 })

  await run(small)

  expect([depot.asked.length, server.asked.length]).toEqual([1, 9])
})

test('over a line that is slow to every source, the download continues until it is complete, and no byte is lost', async () => {
  const slow = inParts(1_000, 40)
  const [depot, server] = [await openSource('a depot', slow, smaller), await openSource('the server', slow, smaller)]
  const run = await openDownload([depot, server])

  await run([smaller])

  // Each request continues where the one before has ended.
  const asked = [...depot.asked, ...server.asked].sort((a, b) => a - b)
  expect(new Set(asked).size).toBe(asked.length)
  expect(depot.asked.length).toBeGreaterThan(1)
})

test('the only source is never abandoned, however slow it is', async () => {
  const server = await openSource('the server', inParts(2_000, 70), smaller)
  const run = await openDownload([server])

  await run([smaller])

  expect(server.asked).toEqual([0])
})

test('a depot that is fast enough keeps the whole download, even if it pauses now and then', async () => {
  const depot = await openSource('a depot', inParts(6_000, 60))
  const server = await openSource('the server', atOnce)
  // A busy machine, which stops both for most of a window, must not look like a slow depot.
  const run = await openDownload([depot, server], { ...paceLimits, windowMs: 1_000, minBytesPerSecond: 4 * 1024 })

  await run()

  expect([depot.asked, server.asked]).toEqual([[0], []])
})

test('a slow depot does not keep the agent from a server that is back after a while', async () => {
  const depot = await openSource('a depot', dripping)
  const back = performance.now() + 500
  const working = await openSource('the server', atOnce)
  const server: Source = {
    name: 'the server',
    ask: async (...args) => {
      if (performance.now() < back) throw new ServerUnavailable('It is restarting.')
      return working.ask(...args)
    },
  }
  const run = await openDownload([depot, server])

  expect(await run()).toBeLessThan(soonMs)
  expect(working.asked).toHaveLength(1)
})

test('the wrong bytes of a depot that hangs up do not spoil the file of the server', async () => {
  const wrong = Buffer.alloc(content.length, 'x')
  const depot = await openSource(
    'a depot',
    (answer, rest) => void answer.write(rest.subarray(0, 10), () => answer.destroy()),
    wrong,
  )
  const server = await openSource('the server', atOnce)
  const run = await openDownload([depot, server])

  await run()

  expect(server.asked.at(-1)).toBe(0)
})
