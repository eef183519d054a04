import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api.ts'

export type Server = { address: string; certificates?: string }

/** How often agents make contact by themselves (never if null), and which share of them keeps a wake connection. */
export type Behaviour = { intervalSeconds: number | null; connectedShare: number }

/** What a process of agents is started with. */
export type AgentsOptions = {
  server: string
  certificates?: string
  token: string
  computers: number
  firstNumber: number
}

/** What a process of agents says: after the enrolment, and then regularly. */
export type Report = { clientIds: string[] } | Figures

/** Refused: contacts that were answered with an error. */
type Figures = { connected: number; contacts: number; refused: number }

/** Simulated agents that have enrolled, in processes of their own. */
export type Agents = {
  computers: number
  clientIds: readonly string[]
  behave(behaviour: Behaviour): void
  countConnected(): number
  /** The contacts since they behave as they do. */
  countContacts(): number
  countRefused(): number
  stop(): Promise<void>
}

/** As many agents as a process has: each needs a socket, and many systems allow 20,000. */
const maxPerProcess = 12_500

let nextNumber = 1

/** Agents that have enrolled and make no contact. */
export async function enrol(server: Server, api: Api, computers: number, groupId?: string): Promise<Agents> {
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', { expiresAtUtc, groupId })
  const processes: AgentProcess[] = []
  for (let left = computers; left > 0; left -= maxPerProcess)
    processes.push(startAgents(server, token, Math.min(left, maxPerProcess)))
  const clientIds = (await Promise.all(processes.map(({ enrolled }) => enrolled))).flat()
  const sum = (figure: keyof Figures) => processes.reduce((total, { last }) => total + last[figure], 0)
  return {
    computers,
    clientIds,
    behave(behaviour) {
      for (const { child, last } of processes) {
        Object.assign(last, none)
        child.send(behaviour)
      }
    },
    countConnected: () => sum('connected'),
    countContacts: () => sum('contacts'),
    countRefused: () => sum('refused'),
    async stop() {
      for (const { child } of processes) await kill(child)
    },
  }
}

type AgentProcess = {
  child: ChildProcess
  enrolled: Promise<string[]>
  last: Figures
}

const none: Figures = { connected: 0, contacts: 0, refused: 0 }

function startAgents({ address, certificates }: Server, token: string, computers: number): AgentProcess {
  const options: AgentsOptions = {
    server: address,
    token,
    computers,
    firstNumber: nextNumber,
    ...(certificates && { certificates }),
  }
  nextNumber += computers
  const child = fork(join(import.meta.dirname, 'agents.ts'), [JSON.stringify(options)])
  const last = { ...none }
  const enrolled = new Promise<string[]>((resolve, reject) => {
    child.once('exit', () => reject(new Error('A process of agents has ended.')))
    child.on('message', (report: Report) => {
      if ('clientIds' in report) resolve(report.clientIds)
      else Object.assign(last, report)
    })
  })
  enrolled.catch(() => {})
  return { child, enrolled, last }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Lets all of them keep a wake connection. */
export async function connectAll(agents: Agents): Promise<void> {
  agents.behave({ intervalSeconds: null, connectedShare: 1 })
  await secondsUntilConnected(agents, 600)
}

export async function secondsUntilConnected(agents: Agents, maxSeconds: number): Promise<number> {
  const began = performance.now()
  while (agents.countConnected() < agents.computers) {
    await sleep(100)
    if (performance.now() - began > maxSeconds * 1e3)
      throw new Error(`Only ${agents.countConnected()} of ${agents.computers} agents are connected.`)
  }
  return (performance.now() - began) / 1e3
}
