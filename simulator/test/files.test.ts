import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../demo/api.ts'
import { readScenario } from '../src/scenario.ts'
import { simulate } from '../src/simulation.ts'
import { startFakeService } from './fake-service.ts'

const sha256Of = (content: string) => createHash('sha256').update(content).digest('hex')

/** Serves contents by their paths, and records the requested paths. */
async function startDepot(contents: Record<string, string>) {
  const requested: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requested.push(url)
    response.statusCode = url in contents ? 200 : 404
    response.end(contents[url])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested, stop }
}

test('a computer downloads files from the first depot that has them, and otherwise from the server', async () => {
  const [good, damaged, missing] = ['good', 'damaged', 'missing'].map(sha256Of)
  const unavailable = await startDepot({})
  await unavailable.stop()
  const [first, second] = [
    await startDepot({ [`/files/${damaged}`]: 'something else' }),
    await startDepot({ [`/files/${good}`]: 'good' }),
  ]
  const files = [good, damaged, missing, good].map((sha256 = '', at) => ({ path: `file ${at}`, size: 4, sha256 }))
  const service = await startFakeService(['Editor'], {
    files,
    depots: [unavailable, first, second].map(({ url }) => ({ url })),
  })

  const scenario = readScenario({
    computers: 1,
    work: { downloadsFiles: true, failureRate: 0, minimumSeconds: 0, maximumSeconds: 0, interruptionRate: 0 },
    reboots: { perDay: 0 },
  })
  const simulation = simulate({ scenario, server: service.address, tokenOf: () => 'token' })
  onTestFinished(() => simulation.stop())
  await until(async () => service.isDone(1) || undefined, 'the work to finish')

  const inOrder = [good, damaged, missing].map((sha256) => `/files/${sha256}`)
  expect(first.requested).toEqual(inOrder)
  expect(second.requested).toEqual(inOrder)
  expect(service.fetchedFiles()).toEqual([damaged, missing])
  const { events, errors } = simulation.measurements.summary(1)
  expect(events).toMatchObject({ 'files from depots': 1, 'files from the server': 2, 'depots that did not help': 8 })
  expect(errors).toEqual({})
})
