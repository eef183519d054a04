import { hash } from 'node:crypto'
import { sectionHashes, sectionNamesOf, sectionOf } from '../simulator/src/machines/inventory.ts'
import { machineOf } from '../simulator/src/machines/machine.ts'
import { readScenario } from '../simulator/src/scenario.ts'
import { type BenchAgent, enrolAgents } from './agents.ts'
import { countStatements } from './count-statements.ts'
import { growFleet } from './fleet.ts'
import { type BenchService, withService } from './service.ts'
import { reportTarget } from './target.ts'

const rounds = 6
const computersPerRound = 40
const concurrentAgents = 8
const target = 0.6

type SendInventory = (address: string, agent: BenchAgent, sections: Record<string, object>) => Promise<void>

/** Compares first inventories of computers in one request to one request per section. */
export async function benchInventories(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, 2 * rounds * computersPerRound)
    await compareInventories(service)
  })
}

async function compareInventories({ app, address, database: { db } }: BenchService): Promise<void> {
  const ids = Array.from({ length: 2 * rounds * computersPerRound }, (_, at) => at + 1)
  const agents = await enrolAgents(db, app.services.keys, ids)
  const measured: Record<string, { milliseconds: number; statements: number }[]> = { together: [], 'one by one': [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, send] of [
      ['together', together],
      ['one by one', oneByOne],
    ] as const)
      measured[name]?.push(await measureRound(address, agents.splice(0, computersPerRound), send))
  // The first round is left out: its software products are new to the service, and its code is not compiled yet.
  const figures = Object.fromEntries(
    Object.entries(measured).map(([name, all]) => {
      const settled = all.slice(1)
      const mean = (of: 'milliseconds' | 'statements') =>
        settled.reduce((sum, one) => sum + one[of], 0) / settled.length / computersPerRound
      return [name, { 'ms each': Math.round(mean('milliseconds')), 'statements each': Math.round(mean('statements')) }]
    }),
  )
  console.table(figures)
  const ratio = (figures.together?.['ms each'] ?? 0) / (figures['one by one']?.['ms each'] ?? 1)
  reportTarget(
    `first inventories: ${ratio.toFixed(2)} of the time of one request per section, target at most ${target}`,
    ratio <= target,
  )
}

async function measureRound(address: string, agents: BenchAgent[], send: SendInventory) {
  const began = performance.now()
  const statements = await countStatements(async () => {
    const next = agents.values()
    await Promise.all(
      Array.from({ length: concurrentAgents }, async () => {
        for (const agent of next) await send(address, agent, simulatedInventoryOf(agent.clientId))
      }),
    )
  })
  return { milliseconds: performance.now() - began, statements }
}

const plan = { ...readScenario({}), startedAt: Date.parse('2026-01-01T00:00:00Z') }

/** What an agent says about itself when it enrols. */
export function simulatedEnrolmentOf(number: number) {
  const { name, domain, uuid, mac, platform } = machineOf(plan, number)
  return {
    enrolmentKey: hash('sha256', `bench ${number}`),
    computer: { name, domain, isDomain: true, uuid, macAddress: mac },
    agent: { version: '1.0', platform: { windows: 'Windows', linux: 'Linux', macos: 'macOS' }[platform] },
  }
}

/** All sections of a simulated computer, which also has these packages. */
export function simulatedInventoryOf(number: number, packages: { name: string; version: string }[] = []) {
  const machine = machineOf(plan, number)
  const current = { now: plan.startedAt, changeMinutes: 1440, packages, revision: packages.length }
  const hashes = sectionHashes(plan, machine, current)
  const collectedUtc = new Date(plan.startedAt).toISOString()
  return Object.fromEntries(
    sectionNamesOf(machine).map((name) => [
      name,
      { hash: hashes[name] ?? '', collectedUtc, ...sectionOf(plan, machine, name, current) },
    ]),
  )
}

const together: SendInventory = (address, agent, sections) => put(`${address}/agent/v1/inventory`, agent, { sections })

const oneByOne: SendInventory = async (address, agent, sections) => {
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
