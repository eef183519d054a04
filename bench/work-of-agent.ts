import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { BenchAgent } from './agents.ts'
import { plainContact } from './plain-contact.ts'

/** Old: a request each for start, progress and result. New: contacts carry the content of the work and its results. */
export type WorkStyle = 'old' | 'new'

type Order = { workId: number; attempt: number; content?: object }
type Answer = { work: Order[]; settings: { hash: string } | null; results?: { workId: number }[] }
type Done = { items: number; requests: number }

/** Lets the agents do their work, some at a time, without any pause. */
export async function doAllWork(
  address: string,
  agents: readonly BenchAgent[],
  style: WorkStyle,
  concurrency: number,
): Promise<Done> {
  const done: Done = { items: 0, requests: 0 }
  const connections = new Agent({ keepAlive: true, maxSockets: concurrency })
  const waiting = [...agents]
  const workers = Array.from({ length: concurrency }, async () => {
    for (let agent = waiting.pop(); agent; agent = waiting.pop()) await workAs(agent)
  })
  await Promise.all(workers)
  connections.destroy()
  return done

  async function workAs({ credential }: BenchAgent): Promise<void> {
    const call = <T>(path: string, body: object): Promise<T> => {
      done.requests++
      return post(connections, `${address}/agent/v1/${path}`, credential, body)
    }
    const contact = { ...plainContact, runId: randomUUID(), ...(style === 'new' && { canStartAtContact: true }) }
    let results: object[] = []
    for (;;) {
      const answer = await call<Answer>('contact', { ...contact, ...(results.length > 0 && { results }) })
      if (results.length > (answer.results?.length ?? 0)) throw new Error('A result was not recorded.')
      if (answer.settings) contact.settingsHash = answer.settings.hash
      if (answer.work.length === 0) return
      results = []
      for (const { workId, attempt, content } of answer.work) {
        done.items++
        if (content) results.push({ workId, ...resultOf(attempt) })
        else {
          await call(`work/${workId}/start`, { attempt, runId: contact.runId })
          await call(`work/${workId}/progress`, { attempt, percent: 50, message: '' })
          await call(`work/${workId}/result`, resultOf(attempt))
        }
      }
    }
  }
}

/** The report of a work item that has succeeded. */
export function resultOf(attempt: number) {
  const now = new Date().toISOString()
  return {
    attempt,
    status: 'Success',
    installationState: 'Installed',
    exitCode: 0,
    startedUtc: now,
    finishedUtc: now,
    commandLine: 'sh install.sh',
    output: 'Done.\n',
    errorText: null,
    rebootRequired: false,
  }
}

function post<T>(agent: Agent, url: string, credential: string, body: object): Promise<T> {
  const answered = Promise.withResolvers<T>()
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  request(url, { method: 'POST', agent, headers }, async (answer) => {
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
    if (answer.statusCode === 200) answered.resolve(JSON.parse(text) as T)
    // As agents do: a busy service asks them to come back.
    else if (answer.statusCode === 503) setTimeout(() => answered.resolve(post(agent, url, credential, body)), 500)
    else answered.reject(new Error(`${url} answered ${answer.statusCode}: ${text}`))
  })
    .on('error', answered.reject)
    .end(JSON.stringify(body))
  return answered.promise
}
