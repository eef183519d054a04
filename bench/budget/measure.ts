import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ConnectedDatabase } from '../../server/src/database/connect.ts'
import { openDatabaseForCommand } from '../../server/src/database/open-for-command.ts'
import { readConfiguration } from '../../server/src/platform/configuration.ts'
import { type Api, apiOf, until } from '../api.ts'
import { startNode } from '../nodes.ts'
import { megabytesOf, processorSecondsOf } from '../processor-time.ts'
import { addPackages } from '../work-items.ts'
import { type BudgetAgent, doWork, enrolAgent, makeIdleContacts } from './agents.ts'

/** After its start, a service collects garbage and closes the connections that it no longer needs. */
const settlingSeconds = 150
/** What the service does once a minute belongs to it. */
const emptySeconds = 60
const warmUpComputers = 100
const newComputers = 400
const concurrentComputers = 16
const contactsPerSecond = 300
const contactSeconds = 15
const workingComputers = 200

/** Milliseconds of processor time of service and database, and their memory. */
export type Costs = CostsAtRest & CostsAtWork

type CostsAtRest = {
  /** Of one second without any computer. */
  emptyService: number
  emptyServiceMegabytes: number
}

type CostsAtWork = { newComputer: number; idleContact: number; workItem?: number }

export type MeasureOptions = {
  dataDirectory: string
  /** The `main.ts` of another checkout. */
  program: string | undefined
  /** Called between the parts. */
  pause(): Promise<void>
}

/**
 * Runs two services with their embedded databases in empty folders. One has no computers: it is measured while the other
 * works, because that takes time and next to no processor.
 */
export async function measureCosts(options: MeasureOptions): Promise<Costs> {
  const secret = randomBytes(24).toString('hex')
  const empty = await startIn(join(options.dataDirectory, 'empty'), secret, options.program)
  const busy = await startIn(join(options.dataDirectory, 'busy'), secret, options.program)
  try {
    const [atRest, atWork] = await Promise.all([measureAtRest(empty), measureAtWork(busy, secret, options)])
    return { ...atRest, ...atWork }
  } finally {
    await Promise.all([empty.stop(), busy.stop()])
  }
}

type MeasuredNode = Awaited<ReturnType<typeof startIn>>

async function startIn(dataDirectory: string, secret: string, program: string | undefined) {
  const settings = {
    MUSTER_DATA_DIR: dataDirectory,
    MUSTER_ENROLMENT_RATE_LIMIT: '0',
    MUSTER_BOOTSTRAP_CLIENT_ID: 'bench',
    MUSTER_BOOTSTRAP_CLIENT_SECRET: secret,
  }
  const node = await startNode(undefined, settings, [], program)
  /** Milliseconds of processor time while it runs, for each of what it returns. */
  const costOfEach = async (run: () => Promise<number>) => {
    const before = await processorSecondsOf(node.pid)
    const count = await run()
    if (count === 0) throw new Error('Nothing was done, so nothing was measured.')
    return (1e3 * ((await processorSecondsOf(node.pid)) - before)) / count
  }
  return { ...node, dataDirectory, costOfEach }
}

async function measureAtRest({ pid, costOfEach }: MeasuredNode): Promise<CostsAtRest> {
  await sleep(settlingSeconds * 1e3)
  const emptyService = await costOfEach(() => sleep(emptySeconds * 1e3, emptySeconds))
  return { emptyService, emptyServiceMegabytes: await megabytesOf(pid) }
}

async function measureAtWork(
  { address, dataDirectory, costOfEach }: MeasuredNode,
  secret: string,
  { program, pause }: MeasureOptions,
): Promise<CostsAtWork> {
  const api = await signIn(address, secret)
  const enrol = await openEnrolment(address, api)
  // Alone: the first computer brings most products and services, for which others would wait.
  const agents = await enrol(1)
  agents.push(...(await enrol(warmUpComputers)))
  const newComputer = await costOfEach(async () => {
    agents.push(...(await enrol(newComputers)))
    return newComputers
  })
  await pause()
  await makeIdleContacts(agents, contactsPerSecond, 3)
  const idleContact = await costOfEach(() => makeIdleContacts(agents, contactsPerSecond, contactSeconds))
  await pause()
  // Agents of another version may do their work in another way.
  if (program) return { newComputer, idleContact }
  await activatePackages(dataDirectory, api)
  const workItem = await costOfEach(() => doAllWork(agents.slice(0, workingComputers)))
  await pause()
  return { newComputer, idleContact, workItem }
}

/** Signs in as a principal with the roles that the workloads need, which the first administrator has to create. */
async function signIn(address: string, secret: string): Promise<Api> {
  const administrator = await signInAs(address, 'bench', secret)
  const { clientId, plaintextKey } = await administrator.post<{ clientId: string; plaintextKey: string }>(
    '/api/admin/local-principals',
    {
      description: 'Caller of the benchmark',
      roles: ['admin.manage', 'computer.write', 'activation.execute'],
      expiresAtUtc: null,
    },
  )
  return signInAs(address, clientId, plaintextKey)
}

async function signInAs(address: string, clientId: string, secret: string): Promise<Api> {
  const answer = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return apiOf(address, { authorization: `Bearer ${token}` })
}

async function openEnrolment(address: string, api: Api) {
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', { expiresAtUtc, groupId: null })
  let number = 0
  return (count: number): Promise<BudgetAgent[]> => {
    const numbers = Array.from({ length: count }, () => ++number)
    return forEachOf(numbers, (one) => enrolAgent(address, token, one))
  }
}

/** Runs for some at a time. */
async function forEachOf<One, Result>(all: readonly One[], run: (one: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const next = all.values()
  await Promise.all(
    Array.from({ length: concurrentComputers }, async () => {
      for (const one of next) results.push(await run(one))
    }),
  )
  return results
}

/** Assigns packages to all computers, as members of a group, and waits until their work has been created. */
async function activatePackages(dataDirectory: string, api: Api): Promise<void> {
  const database = await openDatabaseForCommand(readConfiguration({ MUSTER_DATA_DIR: dataDirectory }))
  try {
    await addPackages(database.db)
    const root = await findRootGroup(database)
    await sql`
      insert into group_computers (group_id, computer_id, is_exclusive)
      select groups.id, agents.computer_id, groups.is_exclusive from groups, agents where groups.id = ${root}`.execute(
      database.db,
    )
    await api.post(`/api/group/${root}/activation`, { software: true })
    await until(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from sliced_activations where finished_at is null`.execute(database.db)
      return rows[0]?.count === 0 || undefined
    }, 'the work of the activation')
    await sql`vacuum analyze`.execute(database.db)
  } finally {
    await database.close()
  }
}

async function findRootGroup({ db }: ConnectedDatabase): Promise<string> {
  const root = await db
    .selectFrom('groups')
    .select('id')
    .where('tree', '=', 'ConfigurationGroups')
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow()
  return root.id
}

async function doAllWork(agents: BudgetAgent[]): Promise<number> {
  const done = await forEachOf(agents, doWork)
  return done.reduce((sum, items) => sum + items, 0)
}
