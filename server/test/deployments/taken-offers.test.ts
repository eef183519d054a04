import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { endOffers } from '../../src/features/deployments/jobs/end-offers.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { openAgentWorld, type PackageColumns } from '../channels/agent/agent-world.ts'
import { exampleContent } from '../inventory/inventory-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const [operator, reader] = [as('activation.execute', 'group.write'), as('computer.read', 'package.read')]

let count = 0
const newName = () => `offered-${++count}`

/** A computer with an offer, hidden from its user in other places, that requires a package, which requires another one with these columns. */
async function offering(columns: PackageColumns = {}) {
  const [first, second] = [newName(), newName()]
  const deeper = await readyPackage({ package_name: first, ...columns })
  const required = await readyPackage({ package_name: second, requires: [first] })
  const [computer, group, offer] = [await agent(), await given.group(), await readyPackage({ requires: [second] })]
  await given.member(group, computer)
  await given.assignment(group, offer, 'package')
  const ofGroup = { params: { id: group.id }, query: { packageId: offer.id } }
  const commands = ['Install', 'Hidden', 'Optional'] as const
  await operator.call(setDistributionOptions, {
    ...ofGroup,
    body: { commands: [...commands], optionalDate: '2099-01-01T00:00:00Z' },
  })
  const params = { id: computer.id }
  const activate = () => operator.call(activateComputer, { params, body: { software: true } })
  await activate()
  const explain = async ({ id }: { id: string }) =>
    (await reader.call(explainComputer, { params, query: { packageId: id } })).body
  return {
    ...{ computer, group, offer, required, deeper, activate, explain },
    take: async () => (await computer.contact({ wants: [offer.id] })).body,
    unassign: () => operator.call(removeGroupPackage, { params: { id: group.id, packageId: offer.id } }),
    verdicts: async () => [(await explain(offer)).verdict, (await explain(deeper)).verdict],
    /** The package that the agent gets at its next contact, alone. */
    async leased() {
      const [item, ...others] = (await computer.contact()).body.work
      expect(others).toEqual([])
      return { workId: item?.workId ?? 0, packageId: item?.package?.packageId }
    },
  }
}

test('what an offer requires comes once its user takes it, and then the offer', async () => {
  const { computer, offer, required, deeper, activate, take, leased } = await offering()
  expect((await computer.contact()).body).toMatchObject({ work: [], offers: [{ packageId: offer.id }] })

  const { work, offers } = await take()

  // It is as hidden from the user as the offer.
  expect(work).toMatchObject([{ package: { packageId: deeper.id }, attempt: 1, hidden: true }])
  expect(offers).toEqual([])
  // Neither a second request nor another activation changes anything.
  expect(await take()).toMatchObject({ work: [], offers: [] })
  await activate()
  await computer.report(work[0]?.workId ?? 0)
  const next = await leased()
  expect(next.packageId).toBe(required.id)
  await computer.report(next.workId)
  const last = await leased()
  expect(last.packageId).toBe(offer.id)
  await computer.report(last.workId, { attempt: 2 })
  await activate()
  expect(await leased()).toEqual({ workId: 0 })
  const made = await db.selectFrom('work').select(['task_id', 'state']).where('computer_id', '=', computer.id).execute()
  expect(made.map(({ state }) => state)).toEqual(['Success', 'Success', 'Success'])
  expect(new Set(made.map(({ task_id }) => task_id)).size).toBe(1)
})

test('an offer stays taken while what it requires waits, and what it has brought ends with its assignment', async () => {
  const { offer, activate, explain, take, unassign, verdicts } = await offering({ is_operational: false })
  expect((await take()).work).toEqual([])
  await activate()
  expect(await verdicts()).toEqual(['Waiting', 'Waiting'])
  expect((await explain(offer)).blockers.map(({ reason }) => reason)).toEqual(['RequirementMissing'])

  await unassign()

  expect(await verdicts()).toEqual(['NotAssigned', 'NotAssigned'])
})

test('what an offer has brought ends when its time is over', async () => {
  const { computer, take, verdicts } = await offering({ is_operational: false })
  await take()
  await sql`
    update work set optional_date = now() where computer_id = ${computer.id} and optional_date is not null`.execute(db)

  expect(await endOffers(db)).toBe(3)

  expect(await verdicts()).toEqual(['NotActivated', 'NotAssigned'])
})

test('a taken offer fails if what it requires fails for good', async () => {
  const { computer, take, verdicts } = await offering()
  const [leased] = (await take()).work
  await sql`update work set failures = 2 where id = ${leased?.workId}`.execute(db)

  await computer.report(leased?.workId ?? 0, { status: 'Failed' })

  expect(await verdicts()).toEqual(['Failed', 'Failed'])
  expect((await computer.contact()).body).toMatchObject({ work: [], offers: [] })
})

test('an assignment of what an offer requires decides, and the offer waits for it', async () => {
  const { group, offer, required, deeper, activate, explain, take, leased } = await offering()
  await given.assignment(group, required, 'package')

  expect((await take()).work).toEqual([])
  expect(await explain(offer)).toMatchObject({ blockers: [{ reason: 'RequirementMissing' }] })
  await activate()

  expect((await leased()).packageId).toBe(deeper.id)
})

test('an offer is not taken if what it requires is not for the computer', async () => {
  const { computer, deeper, take } = await offering()
  const item = exampleContent('system', { osEdition: null, platform: 'Linux', osName: 'Debian', osVersion: '12' })
  const system = { hash: randomBytes(32).toString('hex'), collectedUtc: '2026-03-14T09:00:00Z', item }
  await computer.itself.call(putInventory, { body: { sections: { system } } })
  await sql`update packages set operating_systems = '{Windows}' where id = ${deeper.id}`.execute(db)

  expect((await take()).work).toEqual([])

  const { rows } = await sql`select attempt from work where computer_id = ${computer.id}`.execute(db)
  expect(rows).toEqual([{ attempt: 0 }])
})

test('a taken offer whose installation is repeated is not asked for again', async () => {
  const { computer, offer, required, deeper, leased } = await offering()
  for (const { id } of [required, deeper])
    await db
      .insertInto('deployments')
      .values({ computer_id: computer.id, package_id: id, installation_state: 'Installed' })
      .execute()
  const [first] = (await computer.contact({ wants: [offer.id] })).body.work
  expect(first).toMatchObject({ package: { packageId: offer.id }, attempt: 1 })

  // The agent was started again, and has nothing.
  const { work } = (await computer.contact({ emptyHanded: true })).body

  expect(work).toMatchObject([{ workId: first?.workId, attempt: 2 }])
  expect(await leased()).toEqual({ workId: 0 })
})
