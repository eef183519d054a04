import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { contactPath, plainContact } from '../plain-contact.ts'
import { resultOf } from '../work-of-agent.ts'
import { openCalls } from './calls.ts'
import { answerWith } from './load-process.ts'

// Runs as a process of its own, see `startLoad`. Agents with work do it at once, some of them at a time.

/** Contacts: they bring the content of the work and carry its results. Requests: one for each start and each result. */
export type WorkProtocol = 'contacts' | 'requests'

export type WorkPlan = {
  address: string
  protocol: WorkProtocol
  agentsAtOnce: number
  itemsPerAgent: number
  credentials: string[]
}

export type WorkFigures = {
  /** Agents that have done all their work. */
  finishedAgents: number
  contacts: number
  /** Work items whose result the service has recorded for the first time. */
  results: number
  /** Results that the service has not recorded, because it had them already. */
  repeated: number
  /** Requests that failed. The agents send them again, as real ones do. */
  failed: number
  /** The requests of all kinds. */
  requests: number
}

type WorkItem = { workId: number; attempt: number; content?: object }
type Receipt = { workId: number; outcome: string }
type ContactAnswer = { work: WorkItem[]; results?: Receipt[]; nextContactSeconds: number }
type Result = { workId: number; attempt: number }
type WorkingAgent = { credential: string; runId: string; results: Result[]; done: number }

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

/** Makes a contact and does what it brings. Returns when the agent is to come back. */
async function makeContact(agent: WorkingAgent): Promise<number> {
  const { credential, runId, results } = agent
  const answer = await send<ContactAnswer>(contactPath, credential, {
    ...plainContact,
    runId,
    ...(plan.protocol === 'contacts' && { canStartAtContact: true }),
    ...(results.length > 0 && { results: results.map(describeResult) }),
  })
  figures.contacts++
  const receipts = new Map(answer.results?.map(({ workId, outcome }) => [workId, outcome]))
  for (const outcome of receipts.values()) countResult(agent, outcome === 'Accepted')
  agent.results = results.filter(({ workId }) => !receipts.has(workId))
  for (const order of answer.work) await doWork(agent, order)
  return agent.results.length > 0 || answer.work.length > 0 ? 0 : Math.min(answer.nextContactSeconds, maxPauseSeconds)
}

/** The work takes no time. Work with its content is reported at the next contact, other work by a request. */
async function doWork(agent: WorkingAgent, { workId, attempt, content }: WorkItem): Promise<void> {
  if (content) {
    agent.results.push({ workId, attempt })
    return
  }
  const { credential, runId } = agent
  await send(`/agent/v1/work/${workId}/start`, credential, { attempt, runId })
  const { workId: _, ...result } = describeResult({ workId, attempt })
  const { accepted } = await send<{ accepted: boolean }>(`/agent/v1/work/${workId}/result`, credential, result)
  countResult(agent, accepted)
}

function countResult(agent: WorkingAgent, isFirst: boolean): void {
  agent.done++
  if (isFirst) figures.results++
  else figures.repeated++
}

const describeResult = ({ workId, attempt }: Result) => ({ workId, ...resultOf(attempt) })

const queue: WorkingAgent[] = plan.credentials.map((credential) => ({
  credential,
  runId: randomUUID(),
  results: [],
  done: 0,
}))

/** Takes agents from the queue until all have done their work. An agent that gets no work comes back when it is asked to. */
async function workThroughQueue(): Promise<void> {
  while (figures.finishedAgents < plan.credentials.length) {
    const agent = queue.shift()
    if (!agent) {
      await sleep(0.1)
      continue
    }
    let pauseSeconds = 0
    while (agent.done < plan.itemsPerAgent && pauseSeconds === 0) pauseSeconds = await makeContact(agent)
    if (agent.done >= plan.itemsPerAgent) figures.finishedAgents++
    else setTimeout(() => queue.push(agent), 1_000 * pauseSeconds)
  }
}

answerWith(() => figures)
await Promise.all(Array.from({ length: plan.agentsAtOnce }, workThroughQueue))
