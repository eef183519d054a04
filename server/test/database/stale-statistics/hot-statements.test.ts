import { beforeAll, expect, test } from 'vitest'
import { analyzeGrownTables } from '../../../src/database/after-bulk-write.ts'
import { openFusionWorld } from '../../channels/fusion/fusion-world.ts'
import { workingAgent } from '../../channels/fusion/working-agent.ts'
import { recordPlans } from './recorded-plans.ts'
import {
  addComputers,
  addWork,
  fleet,
  freezeStatisticsOfPilot,
  issueCredential,
  packageCount,
  pilot,
} from './stale-fleet.ts'

const world = await openFusionWorld()
const plans = recordPlans(world.database)
const { db, app } = world

/** Of one computer or of a batch of contacts, a statement may read this many rows of a table. The fleet has 100,000. */
const maxRows = { ofComputer: 22 * packageCount, ofBatch: 100 * packageCount }

/** More than the number of runs after which the database plans a prepared statement for the last time. */
const contactsBefore = 8

const suspension = { mode: 'Suspended' as const, untilUtc: null }

let device: Awaited<ReturnType<typeof workingAgent>>

beforeAll(async () => {
  await freezeStatisticsOfPilot(db)
  device = await workingAgent(world, 'device')
  const agent = await agentOf(pilot.from)
  for (let at = 0; at < contactsBefore; at++) {
    await agent.contact({ suspension })
    await device.jobAddress()
  }
  await addComputers(db, fleet)
  await addWork(db, fleet)
}, 120_000)

async function agentOf(clientId: number) {
  return world.agentWith({ clientId, credential: await issueCredential(db, app.services.keys, clientId) })
}

/** Runs calls and expects that each of their statements has found its rows by keys. */
async function expectFewRows<T>(calls: () => Promise<T>, limit = maxRows.ofComputer): Promise<T> {
  plans.take()
  const result = await calls()
  const taken = plans.take()
  expect(taken).not.toEqual([])
  expect(taken.filter(({ rowsRead, pages }) => rowsRead > limit || pages > 3 * limit)).toEqual([])
  return result
}

test('contacts read only the work of their computers, although their plan was made for a pilot', async () => {
  const agents = await Promise.all(Array.from({ length: 64 }, (_, at) => agentOf(fleet.from + at * 70)))

  const contacts = () => Promise.all(agents.map((agent) => agent.contact({ suspension })))
  const answers = await expectFewRows(contacts, maxRows.ofBatch)

  expect(answers.map(({ status }) => status)).toEqual(agents.map(() => 200))
})

test('hand-out, start, progress, result and failure read only the rows of the computer', async () => {
  const agent = await agentOf(fleet.to)
  const { body } = await expectFewRows(() => agent.contact())
  // The last package requires the first one.
  expect(body.work).toHaveLength(packageCount - 1)
  const [first = 0, second = 0] = body.work.map(({ workId }) => workId)

  await expectFewRows(() => agent.start(first))
  await expectFewRows(() => agent.progress(first))
  await expectFewRows(() => agent.report(first))
  await expectFewRows(() => agent.start(second))
  await expectFewRows(() => agent.report(second, { status: 'Failed' }))
})

test('once a bulk write has analysed its tables, plans of before it are no longer used', async () => {
  await analyzeGrownTables(db, ['agents', 'computers', 'work', 'deployments', 'distribution_events'])
  await world.work(device, await world.readyPackage({ files: { 'install.sh': 'true' } }))

  const job = await expectFewRows(() => device.firstJob())
  await expectFewRows(() => device.begins(job))
  await expectFewRows(() => device.succeeds(job))
})
