import { sectionHashes, sectionNamesOf, sectionOf } from '../../simulator/src/machines/inventory.ts'
import { machineOf } from '../../simulator/src/machines/machine.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { type BenchAgent, enrolledAgents } from './agents.ts'
import { countStatements } from './count-statements.ts'
import { growFleet } from './fleet.ts'
import { type BenchService, withService } from './service.ts'
import { verdict } from './verdict.ts'

const rounds = 6
const computersPerRound = 40
const atOnce = 8
const bar = 0.6

type Way = (address: string, agent: BenchAgent, sections: Record<string, object>) => Promise<void>

/** First inventories of computers, in one request and section by section. */
export async function benchInventories(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, 2 * rounds * computersPerRound)
    await inventories(service)
  })
}

async function inventories({ app, address, database: { db } }: BenchService): Promise<void> {
  const ids = Array.from({ length: 2 * rounds * computersPerRound }, (_, at) => at + 1)
  const agents = await enrolledAgents(db, app.services.keys, ids)
  const taken: Record<string, { milliseconds: number; statements: number }[]> = { together: [], 'one by one': [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, way] of [
      ['together', together],
      ['one by one', oneByOne],
    ] as const)
      taken[name]?.push(await measured(address, agents.splice(0, computersPerRound), way))
  // The first round finds a fleet whose software nobody knows, and code that is not warm.
  const figures = Object.fromEntries(
    Object.entries(taken).map(([name, all]) => {
      const settled = all.slice(1)
      const mean = (of: 'milliseconds' | 'statements') =>
        settled.reduce((sum, one) => sum + one[of], 0) / settled.length / computersPerRound
      return [name, { 'ms each': Math.round(mean('milliseconds')), 'statements each': Math.round(mean('statements')) }]
    }),
  )
  console.table(figures)
  const ratio = (figures.together?.['ms each'] ?? 0) / (figures['one by one']?.['ms each'] ?? 1)
  verdict(
    `first inventories: ${ratio.toFixed(2)} of the time that their sections take one by one, bar ${bar}`,
    ratio <= bar,
  )
}

async function measured(address: string, agents: BenchAgent[], way: Way) {
  const began = performance.now()
  const statements = await countStatements(async () => {
    const next = agents.values()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const agent of next) await way(address, agent, inventoryOf(agent))
      }),
    )
  })
  return { milliseconds: performance.now() - began, statements }
}

const plan = { ...readScenario({}), startedAt: Date.parse('2026-01-01T00:00:00Z') }

function inventoryOf({ clientId }: BenchAgent): Record<string, object> {
  const machine = machineOf(plan, clientId)
  const present = { now: plan.startedAt, changeMinutes: 1440, packages: [], revision: 0 }
  const hashes = sectionHashes(plan, machine, present)
  const collectedUtc = new Date(plan.startedAt).toISOString()
  return Object.fromEntries(
    sectionNamesOf(machine).map((name) => [
      name,
      { hash: hashes[name], collectedUtc, ...sectionOf(plan, machine, name, present) },
    ]),
  )
}

const together: Way = (address, agent, sections) => put(`${address}/agent/v1/inventory`, agent, { sections })

const oneByOne: Way = async (address, agent, sections) => {
  for (const [name, section] of Object.entries(sections))
    await put(`${address}/agent/v1/inventory/${name}`, agent, section)
}

async function put(url: string, { credential }: BenchAgent, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
}
