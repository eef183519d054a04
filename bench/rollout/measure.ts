import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { copyRows, countSavedRows, emptyTables, measureMilliseconds, saveRows } from '../activation.ts'
import { type Node, startNode } from '../nodes.ts'
import type { BenchService } from '../service.ts'
import { listBusiestStatements } from '../statement-statistics.ts'
import type { ReadFigures } from '../steady-reads.ts'
import { type Phase, startBeside } from './beside.ts'
import { openCalls } from './calls.ts'
import { checkResults } from './checks.ts'
import { type Costs, startCosts, subtractLoad } from './costs.ts'
import { startLoad } from './load-process.ts'
import { prepareRollout, type RolloutFleet } from './prepare.ts'
import { agentsAtOnce, packageCount, workers, workProtocol } from './settings.ts'
import type { WorkFigures, WorkPlan } from './work-load.ts'

export type Rollout = {
  computers: number
  items: number
  phases: Phase[]
  reads: ReadFigures
  /** Beyond the contacts and reads beside it. */
  activation: Costs
  work: Costs
  /** With the contacts and reads beside it. */
  grossWork: Costs
  requests: number
  copy: { rows: number; seconds: number }
}

const secondsBefore = 10
const secondsAfter = 10

/** Rolls packages out to all computers of a group, from the activation to the last result. */
export async function measureRollout({ app, database, headers }: BenchService, computers: number): Promise<Rollout> {
  const { db } = database
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const fleet = await prepareRollout(db, app.services.keys, computers)
  const node = await startNode(database.url, { MUSTER_WORKERS: workers })
  const items = computers * packageCount
  const beside = await startBeside({ node, headers, credentials: fleet.others, folder })
  try {
    await sleep(5_000)
    await beside.skip()
    const load = await measureCosts(() => sleep(secondsBefore * 1_000))
    await beside.endPhase('before')

    const activation = await measureCosts(() => activate(node, headers, fleet, items))
    await beside.endPhase('activation')
    await saveRows(db)
    await beside.skip()

    const agents = { results: { results: 0 } as WorkFigures }
    const work = await measureCosts(async () => {
      agents.results = await doWork(node, fleet, folder)
    })
    await beside.endPhase('work')
    console.table(await listBusiestStatements(db))
    await sleep(secondsAfter * 1_000)
    await beside.endPhase('after')
    const reads = await beside.stop()
    await node.stop()

    await checkResults(db, items, agents.results)
    await emptyTables(db)
    const copied = await measureMilliseconds(() => copyRows(db))
    return {
      computers,
      items,
      reads,
      phases: beside.phases,
      activation: subtractLoad(activation, load),
      work: subtractLoad(work, load),
      grossWork: work,
      requests: agents.results.requests,
      copy: { rows: await countSavedRows(db), seconds: copied / 1_000 },
    }
  } finally {
    await beside.stop()
    await node.stop()
    await rm(folder, { recursive: true })
  }

  async function measureCosts(run: () => Promise<unknown>): Promise<Costs> {
    const costs = await startCosts(db, node)
    await run()
    return costs.end()
  }

  /** Activates the group and waits for all its work: a large activation is answered before it is made. */
  async function activate(on: Node, { authorization }: typeof headers, { groupId }: RolloutFleet, expected: number) {
    const calls = openCalls(on.address, 1)
    const token = authorization.replace('Bearer ', '')
    const { status, body } = await calls.post(`/api/group/${groupId}/activation`, token, { software: true })
    calls.close()
    if (status >= 300) throw new Error(`The activation was answered with ${status} ${JSON.stringify(body)}`)
    for (;;) {
      const { rows } = await sql<{ count: number }>`select count(*) from work`.execute(db)
      if ((rows[0]?.count ?? 0) >= expected) return
      await sleep(500)
    }
  }
}

async function doWork(node: Node, { members }: RolloutFleet, folder: string): Promise<WorkFigures> {
  const plan = {
    address: node.address,
    protocol: workProtocol,
    agentsAtOnce,
    itemsPerAgent: packageCount,
    credentials: [...members.values()],
  }
  const load = await startLoad<WorkPlan, WorkFigures>('work-load.ts', folder, plan)
  for (;;) {
    await sleep(200)
    const figures = await load.takeFigures()
    if (figures.finishedAgents < members.size) continue
    await load.stop()
    return figures
  }
}
