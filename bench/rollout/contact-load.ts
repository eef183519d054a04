import { readFile } from 'node:fs/promises'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { contactPath, plainContact } from '../plain-contact.ts'
import { openCalls } from './calls.ts'
import { answerWith } from './load-process.ts'

// Runs as a process of its own, see `startLoad`. Agents without work make contacts at a fixed rate, whatever the answers.

export type ContactPlan = { address: string; perSecond: number; settingsHash: string | null; credentials: string[] }

export type ContactFigures = {
  seconds: number
  /** Contacts that were answered with success. */
  answered: number
  /** Contacts that were answered with 5xx or not at all. */
  failed: number
  p50: number
  p99: number
}

const connections = 64

const plan = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as ContactPlan
const { post } = openCalls(plan.address, connections)
const interval = 1_000 / plan.perSecond
const body = { ...plainContact, settingsHash: plan.settingsHash }

let latencies: RecordableHistogram = createHistogram()
let [answered, failed] = [0, 0]
let since = performance.now()
let sent = 0
const start = performance.now()

async function contact(dueAt: number): Promise<void> {
  const credential = plan.credentials[sent % plan.credentials.length] ?? ''
  const { status } = await post(contactPath, credential, body)
  if (status === 200) answered++
  else failed++
  // From the time at which the contact was due so that time in a queue counts.
  latencies.record(Math.max(1, Math.round(performance.now() - dueAt)))
}

setInterval(() => {
  for (; start + sent * interval <= performance.now(); sent++) void contact(start + sent * interval)
}, 5)

answerWith((): ContactFigures => {
  const figures = {
    seconds: (performance.now() - since) / 1_000,
    answered,
    failed,
    p50: latencies.percentile(50),
    p99: latencies.percentile(99),
  }
  latencies = createHistogram()
  answered = 0
  failed = 0
  since = performance.now()
  return figures
})
