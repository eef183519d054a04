import { randomUUID } from 'node:crypto'
import { createHistogram, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { contactOf } from '../matrix/load-clients.ts'
import { readSchedule } from '../matrix/processor-waits.ts'
import { type ProbeFigures, type ProbeMessage, type ProbeSettings, stallMs } from './probe.ts'
import { openSender, type SentRequest } from './send.ts'

const intervalMs = 50

const { address, pid, authorization, agent } = workerData as ProbeSettings
const post = (message: ProbeMessage) => parentPort?.postMessage(message)
let isStopped = false
parentPort?.on('message', () => (isStopped = true))

const contact = Buffer.from(JSON.stringify(contactOf(randomUUID(), 'probe')))
const probes: Record<string, SentRequest> = {
  'GET /health': { method: 'GET', path: '/health', headers: {}, body: undefined },
  'a read': {
    method: 'GET',
    path: `/api/computer/${agent.computerId}`,
    headers: { Authorization: authorization },
    body: undefined,
  },
  'a contact': {
    method: 'POST',
    path: '/agent/v1/contact',
    headers: { Authorization: `Bearer ${agent.credential}`, 'Content-Type': 'application/json' },
    body: contact,
  },
}

async function run([probe, request]: [string, SentRequest]): Promise<ProbeFigures> {
  const sender = openSender(address, 1)
  const waits = createHistogram()
  let failed = 0
  while (!isStopped) {
    const [from, at, before] = [Date.now(), performance.now(), readSchedule(pid)]
    const answer = await sender.send(request).catch(() => undefined)
    const waited = performance.now() - at
    if (!answer || answer.status >= 300) failed++
    waits.record(Math.max(1, Math.round(1000 * waited)))
    if (waited >= stallMs) {
      const after = readSchedule(pid)
      const busyMs = Math.round(after.ran - before.ran)
      post({
        stall: {
          probe,
          from,
          until: from + Math.round(waited),
          busyMs,
          starvedMs: Math.round(after.waited - before.waited),
        },
      })
    }
    await sleep(Math.max(0, intervalMs - waited))
  }
  sender.close()
  const milliseconds = (microseconds: number) => Math.round(microseconds / 100) / 10
  return {
    probe,
    requests: waits.count,
    failed,
    p50: milliseconds(waits.percentile(50)),
    p99: milliseconds(waits.percentile(99)),
    max: milliseconds(waits.max),
  }
}

post({ figures: await Promise.all(Object.entries(probes).map(run)) })
