import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { contactPath, plainContact } from '../plain-contact.ts'
import { openCalls } from './calls.ts'
import { answerWith } from './load-process.ts'

// Runs as a process of its own, see `startLoad`. Agents with work do it at once, some of them at a time.

export type WorkPlan = { address: string; agentsAtOnce: number; itemsPerAgent: number; credentials: string[] }

export type WorkFigures = {
  /** Agents that have done all their work. */
  finishedAgents: number
  contacts: number
  /** Work items whose result the service has accepted for the first time. */
  results: number
  /** Results that the service has not accepted, because it had them already. */
  repeated: number
  /** Requests that failed. The agents send them again, as real ones do. */
  failed: number
  /** The requests of all kinds. */
  requests: number
}

type Contact = { work: { workId: number; attempt: number }[]; nextContactSeconds: number }

const maxPauseSeconds = 60

const plan = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as WorkPlan
const { post } = openCalls(plan.address, plan.agentsAtOnce)
const figures: WorkFigures = { finishedAgents: 0, contacts: 0, results: 0, repeated: 0, failed: 0, requests: 0 }

/** Sends a request until it succeeds. */
async function send<Body>(path: string, credential: string, body: object): Promise<Body> {
  for (;;) {
    figures.requests++
    const answer = await post<Body>(path, credential, body)
    if (answer.status === 200) return answer.body
    if (answer.status < 500 && answer.status !== 0 && answer.status !== 429)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    figures.failed++
    await sleep(1)
  }
}

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Does what is handed out at one contact. Returns the number of items, and when the agent is to come back. */
async function makeContact(credential: string, runId: string) {
  const contact = await send<Contact>(contactPath, credential, { ...plainContact, runId })
  figures.contacts++
  for (const { workId, attempt } of contact.work) {
    await send(`/agent/v1/work/${workId}/start`, credential, { attempt, runId })
    const result = await send<{ accepted: boolean }>(`/agent/v1/work/${workId}/result`, credential, {
      ...successfulResult(),
      attempt,
    })
    if (result.accepted) figures.results++
    else figures.repeated++
  }
  return { items: contact.work.length, pauseSeconds: contact.nextContactSeconds }
}

function successfulResult() {
  const now = new Date().toISOString()
  return {
    status: 'Success',
    installationState: 'Installed',
    exitCode: 0,
    startedUtc: now,
    finishedUtc: now,
    commandLine: 'sh install.sh',
    output: 'Done.',
    errorText: null,
    rebootRequired: false,
  }
}

type WaitingAgent = { credential: string; runId: string; done: number }

const queue: WaitingAgent[] = plan.credentials.map((credential) => ({ credential, runId: randomUUID(), done: 0 }))

/** Takes agents from the queue until all have done their work. An agent that gets no work comes back when it is asked to. */
async function workThroughQueue(): Promise<void> {
  while (figures.finishedAgents < plan.credentials.length) {
    const agent = queue.shift()
    if (!agent) {
      await sleep(0.1)
      continue
    }
    const { items, pauseSeconds } = await makeContact(agent.credential, agent.runId)
    agent.done += items
    if (agent.done >= plan.itemsPerAgent) figures.finishedAgents++
    else if (items > 0) queue.push(agent)
    else setTimeout(() => queue.push(agent), 1_000 * Math.min(pauseSeconds, maxPauseSeconds))
  }
}

answerWith(() => figures)
await Promise.all(Array.from({ length: plan.agentsAtOnce }, workThroughQueue))
