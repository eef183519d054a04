import { expect, test } from 'vitest'
import { countStatements } from '../../world/statements.ts'
import { contactResult, openAgentWorld } from './agent-world.ts'

const { agent, readyPackage, work } = await openAgentWorld()

const packages = await Promise.all(Array.from({ length: 20 }, () => readyPackage()))

/** An agent with this many due work items. */
async function agentWithWork(count: number) {
  const computer = await agent()
  // The first contact stores what the computer reports about itself.
  await computer.exchange()
  const works: number[] = []
  for (const software of packages.slice(0, count)) works.push(await work(computer, software))
  return { ...computer, works }
}

type BusyAgent = Awaited<ReturnType<typeof agentWithWork>>

const handOut = (agents: readonly BusyAgent[]) =>
  countStatements(async () => {
    for (const { body } of await Promise.all(agents.map(({ exchange }) => exchange())))
      expect(body.work[0]).toHaveProperty('content')
  })

const report = (agents: readonly BusyAgent[]) =>
  countStatements(async () => {
    const answers = await Promise.all(
      agents.map(({ exchange, works }) => exchange({ results: works.map((workId) => contactResult(workId)) })),
    )
    for (const [at, { body }] of answers.entries()) expect(body.results).toHaveLength(agents[at]?.works.length ?? 0)
  })

/** What the first contacts of a process read once: the contents of the packages. */
await handOut([await agentWithWork(20)])

test('the hand-out of work with its content takes nine statements, and its results two, however many items there are', async () => {
  const [one, twenty] = [await agentWithWork(1), await agentWithWork(20)]

  const statements = {
    one: [await handOut([one]), await report([one])],
    twenty: [await handOut([twenty]), await report([twenty])],
  }

  // The contact; begin, locks, candidates, leases, commit; variables, collections, depots. The contact; the results.
  expect(statements).toEqual({ one: [9, 2], twenty: [9, 2] })
})

test('agents that come at once share the statements', async () => {
  const agents = []
  for (let n = 0; n < 12; n++) agents.push(await agentWithWork(2))

  const statements = [await handOut(agents), await report(agents)]

  // Calls that arrive while a statement runs share the next one. How many rounds there are depends on the machine.
  const ofOne = [9, 2] as const
  expect(statements[0]).toBeLessThanOrEqual((agents.length * ofOne[0]) / 2)
  expect(statements[1]).toBeLessThanOrEqual((agents.length * ofOne[1]) / 2)
})

test('reports of earlier agents take one statement each beside that for the credential, and share both', async () => {
  const { contact, works, progress, report: reportOne, start } = await agentWithWork(20)
  await contact()
  const [first = 0, ...others] = works

  const alone = {
    progress: await countStatements(() => progress(first)),
    result: await countStatements(() => reportOne(first)),
  }
  const agents: BusyAgent[] = []
  for (let n = 0; n < 12; n++) agents.push(await agentWithWork(1))
  for (const one of agents) await one.contact()
  const together = await countStatements(() => Promise.all(agents.map((one) => one.report(one.works[0] ?? 0))))

  expect(alone).toEqual({ progress: 2, result: 2 })
  expect(together).toBeLessThanOrEqual(12)
  expect((await start(others[0] ?? 0)).status).toBe(200)
})
