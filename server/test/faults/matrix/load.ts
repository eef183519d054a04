import { randomUUID } from 'node:crypto'
import type { Fleet } from './fleet.ts'
import { type HttpClient, openHttpClient } from './http-client.ts'
import { type Ledger, openLedger } from './ledger.ts'
import {
  type LoadContext,
  type LoadSize,
  runAgent,
  runCrowdMember,
  runEnroller,
  runReader,
  runWriter,
} from './load-clients.ts'
import { type Operation, performOperation } from './operations.ts'

export type Load = {
  /** Appears in every name that the load writes. */
  prefix: string
  startedAt: Date
  operations: Operation[]
  ledger: Ledger
  /** Adds impatient clients that all change the same computer at once. */
  addCrowd(computerId: number, count: number): void
  /** Lets the clients finish what they began until the time since then is over. Returns what was not finished. */
  stop(isOver: (since: number) => boolean): Promise<Operation[]>
}

/** Contacts and results of agents, and reads and writes of the API, each client one request after the other. */
export function startLoad(address: string, fleet: Fleet, size: LoadSize): Load {
  const operations: Operation[] = []
  const abandonment = new AbortController()
  let isStopped = false
  const clients: HttpClient[] = []
  const context: LoadContext = {
    address,
    fleet,
    size,
    prefix: `load-${randomUUID().slice(0, 8)}`,
    ledger: openLedger(),
    isStopped: () => isStopped,
    abandon: abandonment.signal,
    perform: (client, request, authorization = fleet.authorization) =>
      performOperation(client, authorization, request, operations, abandonment.signal),
  }
  const running: Promise<void>[] = []
  const add = (run: (client: HttpClient) => Promise<void>, keepsConnection = true) => {
    const client = openHttpClient({ address, timeoutMs: size.timeoutMs, keepsConnection })
    clients.push(client)
    running.push(run(client))
  }
  for (const agent of fleet.agents) add((client) => runAgent(context, client, agent))
  for (let reader = 0; reader < size.readers; reader++) add((client) => runReader(context, client), reader % 2 === 0)
  for (let writer = 0; writer < size.writers; writer++) add((client) => runWriter(context, client, writer))
  for (let enroller = 0; enroller < (size.enrollers ?? 0); enroller++)
    add((client) => runEnroller(context, client, enroller))
  return {
    prefix: context.prefix,
    startedAt: new Date(),
    operations,
    ledger: context.ledger,
    addCrowd(computerId, count) {
      for (let member = 0; member < count; member++) add((client) => runCrowdMember(context, client, computerId))
    },
    async stop(isOver) {
      isStopped = true
      const since = performance.now()
      const timer = setInterval(() => isOver(since) && abandonment.abort(), 50)
      await Promise.all(running)
      clearInterval(timer)
      for (const client of clients) client.close()
      return operations.filter(({ succeededAt }) => succeededAt === undefined)
    },
  }
}
