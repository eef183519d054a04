import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../database/embedded-postgres/muster.ts'
import { bundledProgram } from '../world/programs.ts'
import { accessToken, type RunningProcess, startServiceProcess } from '../world/service-process.ts'
import { openSocket, sendRaw } from './raw-http.ts'

const requestsPerBatch = 1_200
const mebibyte = 2 ** 20

test('thousands of hostile requests do not leak memory', async () => {
  const service = await startServiceProcess({
    command: [process.execPath, '--inspect=127.0.0.1:0', bundledProgram('main')],
    env: { MUSTER_LOG_LEVEL: 'silent' },
  })
  const port = Number(new URL(service.address).port)
  const token = await accessToken(service)
  const memory = await inspectMemory(service)
  await sendBatch(port, token)
  await sendBatch(port, token)
  const before = await memory.inUse()

  const after: number[] = []
  for (let batch = 0; batch < 3; batch++) {
    await sendBatch(port, token)
    after.push(await memory.inUse())
  }

  // About one kilobyte for each request, in the better of the last two looks: a leak shows in both.
  expect((Math.min(...after.slice(1)) - before) / mebibyte).toBeLessThan(3)
  expect((await fetch(`${service.address}/health`)).status).toBe(200)
}, 120_000)

async function sendBatch(port: number, token: string): Promise<void> {
  let left = requestsPerBatch
  const client = async () => {
    while (left-- > 0) await hostileRequests[left % hostileRequests.length]?.(port, token)
  }
  await Promise.all(Array.from({ length: 16 }, client))
}

const principals = '/api/admin/local-principals'
const unique = () => randomUUID()

/** Each time with other content so that anything that remembers it would grow. */
const hostileRequests: ((port: number, token: string) => Promise<unknown>)[] = [
  (port) => sendRaw(port, request('GET', `/${unique()}?${unique()}=${unique()}`, `X-Request-Id: ${unique()}`)),
  (port) => sendRaw(port, request('GET', '/api/service/whoami', `Authorization: Bearer ${unique()}.${unique()}.x`)),
  (port) => sendRaw(port, request('GET', `/%ff${unique()}`, 'X: y')),
  (port) => sendRaw(port, `FLY ${unique()}`),
  (port) => sendRaw(port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  (port) => {
    const form = `grant_type=client_credentials&client_id=${unique()}&client_secret=${unique()}`
    return sendRaw(port, request('POST', '/api/auth/token', 'Content-Type: application/x-www-form-urlencoded', form))
  },
  (port, token) => {
    const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nIdempotency-Key: ${unique()}`
    return sendRaw(port, request('POST', principals, headers, JSON.stringify({ [unique()]: 'x'.repeat(50_000) })))
  },
  (port, token) => {
    const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nIf-Match: ${unique()}`
    return sendRaw(port, request('PUT', `${principals}/2147483647`, headers, `${'['.repeat(20_000)}"${unique()}`))
  },
  async (port, token) => {
    const socket = await openSocket(port)
    const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100000`
    await new Promise((sent) => socket.write(request('POST', principals, headers), sent))
    socket.resetAndDestroy()
  },
]

function request(method: string, path: string, headers: string, body = ''): string {
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${length}${headers}\r\n\r\n${body}`
}

/** Looks into the process from outside, by Node's inspector so that nothing of the test itself is measured. */
async function inspectMemory(service: RunningProcess) {
  const url = await until(() => /Debugger listening on (ws:\S+)/.exec(service.output())?.[1])
  const inspector = new WebSocket(url)
  onTestFinished(() => inspector.close())
  await new Promise((resolve) => inspector.addEventListener('open', resolve, { once: true }))
  const ask = async (method: string, params: object = {}) => {
    const answer = new Promise<string>((resolve) => {
      inspector.addEventListener('message', ({ data }) => resolve(String(data)), { once: true })
    })
    inspector.send(JSON.stringify({ id: 1, method, params }))
    return JSON.parse(await answer).result
  }
  return {
    /** Bytes that are still referred to, on the heap and outside of it. */
    async inUse(): Promise<number> {
      await ask('HeapProfiler.collectGarbage')
      const expression = 'const { heapUsed, external } = process.memoryUsage(); heapUsed + external'
      const { result } = await ask('Runtime.evaluate', { expression: `{ ${expression} }` })
      return result.value
    },
  }
}
