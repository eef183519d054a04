import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { expectSooner } from '../../../tools/elapsed.ts'
import { getWorkFile } from '../../src/channels/agent/get-work-file.ts'
import { openAgentWorld, sha256Of } from '../channels/agent/agent-world.ts'
import { addressOf } from '../world/caller.ts'

const { agent, app, readyPackage, work } = await openAgentWorld({
  networkRates: [
    { range: '10.1.0.0/16', kilobytesPerSecond: 200 },
    { range: '10.0.0.0/8', kilobytesPerSecond: 10_000 },
  ],
  trustedProxies: ['127.0.0.1'],
  agentDownloads: { max: 1, maxPerNetwork: 0 },
})
await app.http.listen({ host: '127.0.0.1', port: 0 })

const content = 'x'.repeat(200_000)
const computer = await agent()
const workId = await work(computer, await readyPackage({ files: { 'large.bin': content } }), {
  not_before: new Date(Date.now() + 3_600_000),
  pre_download: true,
})
const address = new URL(addressOf(getWorkFile, { workId, sha256: sha256Of(content) }), app.http.listeningOrigin)

/** Downloads the file from an address, and returns how many seconds that took. */
async function download(from: string, headers: Record<string, string> = {}): Promise<number> {
  const began = performance.now()
  const request = get(address, {
    headers: { authorization: `Bearer ${computer.credential}`, 'x-forwarded-for': from, ...headers },
    agent: false,
  })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length
  expect({ status: answer.statusCode, bytes }).toEqual({ status: 200, bytes: content.length })
  return (performance.now() - began) / 1_000
}

test('computers of a network together download no faster than its rate, and others are not limited by it', async () => {
  const slow = { 'muster-max-rate': '250000' }

  const [first, second] = await Promise.all([download('10.1.1.1', slow), download('10.1.2.2', slow)])
  const other = await download('10.2.1.1')
  const unlimited = await download('192.0.2.1')

  // 400 kB at 200 kB/s.
  expect(Math.max(first, second)).toBeGreaterThan(1.9)
  expect(Math.max(first, second)).toBeLessThan(4)
  expectSooner(other, { thanWithDefect: 2 })
  expectSooner(unlimited, { thanWithDefect: 2 })
})

test('a computer that limits itself gets no more than that, and leaves the places of others free', async () => {
  const limited = download('192.0.2.1', { 'muster-max-rate': '100000' })
  // There is only one place.
  const other = await download('192.0.2.2')

  const seconds = await limited
  expectSooner(other, { thanWithDefect: 2 })
  expect(seconds).toBeGreaterThan(1.9)
  expect(seconds).toBeLessThan(4)
})

test('a rate that is not a number counts as none', async () => {
  expectSooner(await download('192.0.2.1', { 'muster-max-rate': '1e3' }), { thanWithDefect: 200 })
})
