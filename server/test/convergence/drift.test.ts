import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sequenceBatch } from '../../src/features/events/jobs/sequence-events.ts'
import { exportFleetComputers } from '../../src/features/fleet/api/export-fleet-computers.ts'
import { listDriftedSoftwareComputers } from '../../src/features/issues/api/list-drifted-software-computers.ts'
import { recordComputerStates } from '../../src/features/issues/states/record-computer-states.ts'
import { hashOf } from '../inventory/inventory-world.ts'
import { openConvergenceWorld } from './convergence-world.ts'

const world = await openConvergenceWorld()
const { assign, converge, convergedFleet, db, doWork, given, join, openWork, operator, readyPackage } = world

type Agent = Awaited<ReturnType<typeof join>>
type Product = { productName: string; version: string }

/** What a scan of the agent finds, and what the service does about it. */
async function scan(agent: Agent, ...products: Product[]): Promise<void> {
  const items = products.map((product) => ({ publisher: null, ...product }))
  const reported = await agent.itself.send({
    method: 'PUT',
    url: '/agent/v1/inventory/installedSoftware',
    payload: { hash: hashOf([items, Math.random()]), collectedUtc: new Date().toISOString(), items },
  })
  expect(reported.status).toBeLessThan(300)
  while ((await sequenceBatch(db)) > 0);
  await converge()
}

let editors = 0

/** A computer on which a scan has found what was deployed to it through a converged group. */
async function deployed(maxRepairsPerDay = 3) {
  const name = `Editor ${String.fromCodePoint(97 + editors++)}`
  const { group, agents } = await convergedFleet(1, { maxRepairsPerDay })
  const [agent] = agents
  if (!agent) return expect.fail()
  const made = await readyPackage({ name, version: '4.2.1' })
  await assign(group, made)
  await converge()
  expect(await doWork(agents)).toBe(1)
  const product = { productName: name, version: '4.2.1' }
  await scan(agent, product)
  return { group, agent, made, product }
}

const installOf = ({ agent, made }: Awaited<ReturnType<typeof deployed>>) => [
  { id: agent.id, package: made.id, kind: 'Install' },
]

const issue = async (agent: Agent, query = {}) =>
  (await operator.call(listDriftedSoftwareComputers, { query: { top: 1000, ...query } })).body.items.filter(
    ({ id }) => id === agent.id,
  )

describe('software of a converged group', () => {
  test('that a scan finds removed is due again', async () => {
    const given = await deployed()

    await scan(given.agent)

    expect(await openWork([given.agent])).toEqual(installOf(given))
  })

  test('that a scan finds replaced by another version is due again', async () => {
    const given = await deployed()

    await scan(given.agent, { ...given.product, version: '3.0' })

    expect(await openWork([given.agent])).toEqual(installOf(given))
  })

  test('from a repository is known by its name there, and another version of it is fine unless one is required', async () => {
    const given = await deployed()
    const manifest = JSON.stringify({ source: { package: 'deb:nginx-light' } })
    await sql`update packages set manifest = ${manifest}::jsonb where id = ${given.made.id}`.execute(db)
    const found = (version: string) => ({ productName: 'nginx-light', version })

    await scan(given.agent, found('1.0'))
    await scan(given.agent, found('1.1'))
    expect(await openWork([given.agent])).toEqual([])
    await scan(given.agent)
    expect(await openWork([given.agent])).toEqual(installOf(given))
  })

  test('that Windows lists under another name is known by the name in its manifest', async () => {
    const given = await deployed()
    const manifest = JSON.stringify({ commands: { detect: { program: { name: 'Zip Tool (x64)' } } } })
    await sql`update packages set manifest = ${manifest}::jsonb where id = ${given.made.id}`.execute(db)

    await scan(given.agent, { productName: 'Zip Tool (x64)', version: '4.2.1' })
    expect(await openWork([given.agent])).toEqual([])
    await scan(given.agent)

    expect(await openWork([given.agent])).toEqual(installOf(given))
  })

  test('is not due again because other software was removed', async () => {
    const { agent, product } = await deployed()
    await scan(agent, product, { productName: `${product.productName} Plugin`, version: '4.2.1' })

    await scan(agent, product)

    expect(await openWork([agent])).toEqual([])
  })

  test('is repaired only so often within a day', async () => {
    const given = await deployed(1)
    await scan(given.agent)
    await doWork([given.agent])
    await scan(given.agent, given.product)

    await scan(given.agent)
    expect(await openWork([given.agent])).toEqual([])

    await sql`update software_drifts set due_at = due_at - interval '1 day'`.execute(db)
    await converge()
    expect(await openWork([given.agent])).toEqual(installOf(given))
  })

  test('that is back before its repair is left alone', async () => {
    const given = await deployed(0)
    await scan(given.agent)
    await scan(given.agent, given.product)

    const { rows } = await sql`select from software_drifts where computer_id = ${given.agent.id}`.execute(db)

    expect(rows).toEqual([])
  })

  test('that is removed again and again is an issue of the computer', async () => {
    const given = await deployed()
    await scan(given.agent)
    expect(await issue(given.agent)).toEqual([])
    await doWork([given.agent])
    await scan(given.agent, given.product)

    await scan(given.agent, { ...given.product, version: '5.0' })

    expect(await issue(given.agent)).toMatchObject([
      {
        driftedPackages: [
          {
            softwareId: given.made.id,
            packageName: given.product.productName,
            times: 2,
            lastKind: 'Replaced',
            foundVersion: '5.0',
          },
        ],
      },
    ])
    expect(await issue(given.agent, { minTimes: 3 })).toEqual([])

    await recordComputerStates(db)
    const exported = await operator.send({ method: 'GET', url: `${exportFleetComputers.path}?issue=software-drift` })
    const [header = '', ...lines] = String(exported.raw).trimEnd().split('\r\n')
    const line = lines.find((one) => one.startsWith(`${given.agent.id},`))?.split(',') ?? expect.fail()
    expect(line[header.split(',').indexOf('issues')]).toContain('software-drift')
  })
})

test('software of a group that is not kept converged stays as it was reported', async () => {
  const { agent, group, product } = await deployed()
  await world.setConvergence(group, { state: 'Off' })
  const other = await given.group({ tree: 'AssignmentGroups' })
  await world.setConvergence(other)

  await scan(agent)

  expect(await openWork([agent])).toEqual([])
  const { rows } = await sql`
    select installation_state from deployments where computer_id = ${agent.id} and installation_state = 'Installed'`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
  expect(product.version).toBe('4.2.1')
})
