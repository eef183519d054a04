import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { advisoryLocks } from '../../src/database/advisory-locks.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { followRules } from '../../src/features/groups/rules/follow-rules.ts'
import { openRuleWorld } from './rule-world.ts'

const { as, db, given, setRule, ruleOf, rename, assignmentGroup, membersOf, follow, removeAll } = await openRuleWorld()

afterEach(removeAll)

test('a rule stops if more computers would join or leave within an hour than it allows, until it is set again', async () => {
  const group = await assignmentGroup()
  const computers = []
  for (const name of ['till-1', 'till-2']) computers.push(await given.computer({ name }))
  await setRule(group, { names: ['till-*'] }, { maxChangesPerHour: 3 })
  for (const name of ['till-4', 'till-5']) await given.computer({ name })
  await follow()
  for (const computer of computers) await rename(computer, `desk-${computer.id}`)

  await follow()
  const stopped = (await ruleOf(group)).body
  const members = await membersOf(group)
  await given.computer({ name: 'till-3' })
  await follow()
  const confirmed = await setRule(group, { names: ['till-*'] }, { maxChangesPerHour: 3 })

  expect(stopped).toMatchObject({ state: 'Stopped', joining: 0, leaving: 2, stoppedAtUtc: expect.any(String) })
  expect(members).toHaveLength(4)
  expect(confirmed.body).toMatchObject({ state: 'Active', joined: 1, left: 2, stoppedAtUtc: null })
  const { rows } = await sql<{ data: object }>`
    select data from event_outbox where type = 'muster.group.rule-changed' and subject = ${`/api/group/${group.id}`}
    order by id`.execute(db)
  expect(rows.map(({ data }) => data)).toMatchObject([
    { state: 'Active', joining: null },
    { state: 'Stopped', joining: 0, leaving: 2 },
    { state: 'Active' },
  ])
  const { items } = (await as('admin.manage').call(listAuditEntries, { query: { operation: 'followGroupRule' } })).body
  expect(items).toContainEqual(expect.objectContaining({ target: `/api/group/${group.id}`, status: 409 }))
})

test('an hour later, a rule may change as many computers again', async () => {
  const group = await assignmentGroup()
  await setRule(group, { names: ['till-*'] }, { maxChangesPerHour: 1 })
  await given.computer({ name: 'till-1' })
  await follow()
  await sql`update group_rules set hour_began_at = now() - interval '61 minutes'`.execute(db)
  await given.computer({ name: 'till-2' })

  await follow()

  expect((await ruleOf(group)).body).toMatchObject({ state: 'Active', membersByRule: 2 })
})

test('a rule adds up all changes of an hour, and begins again when somebody sets it', async () => {
  const group = await assignmentGroup()
  const join = async (name: string) => {
    await given.computer({ name })
    await follow()
    return (await ruleOf(group)).body.state
  }
  await setRule(group, { names: ['till-*'] }, { maxChangesPerHour: 2 })

  const states = [await join('till-1'), await join('till-2')]
  await setRule(group, { names: ['till-*'] }, { maxChangesPerHour: 2 })
  states.push(await join('till-3'), await join('till-4'), await join('till-5'))

  expect(states).toEqual(['Active', 'Active', 'Active', 'Active', 'Stopped'])
  expect(await membersOf(group)).toHaveLength(4)
})

test('a computer that keeps changing is one computer for the limit, and soon stays where it is until the hour is over', async () => {
  const group = await assignmentGroup()
  await setRule(group, { networks: ['10.66.0.0/16'] }, { maxChangesPerHour: 2 })
  const [liar, honest] = [await given.computer({ ip_address: '192.0.2.7' }), await given.computer()]
  const moveTo = async (computer: { id: number }, address: string) => {
    await db.updateTable('computers').set({ ip_address: address }).where('id', '=', computer.id).execute()
    return follow()
  }

  const moves = []
  for (let round = 0; round < 4; round++) moves.push(await moveTo(liar, '10.66.0.7'), await moveTo(liar, '192.0.2.7'))
  await moveTo(liar, '10.66.0.7')
  const restless = (await ruleOf(group)).body
  await moveTo(honest, '10.66.0.8')
  const afterwards = (await ruleOf(group)).body
  const { items } = (await as('admin.manage').call(listAuditEntries, { query: { operation: 'followGroupRule' } })).body
  const target = `/api/group/${group.id}`
  await sql`
    with passed as (update group_rules set hour_began_at = hour_began_at - interval '61 minutes', swept_at = null)
    update group_rule_changes set hour_began_at = hour_began_at - interval '61 minutes'`.execute(db)

  expect(moves).toEqual([1, 1, 1, 1, 0, 0, 0, 0])
  expect(restless).toMatchObject({ state: 'Active', membersByRule: 0, restlessComputers: 1 })
  expect(afterwards).toMatchObject({ state: 'Active', membersByRule: 1 })
  const restlessIds = items.flatMap(({ target: path, request }) =>
    path === target ? ((request as { body: { restlessIds?: number[] } }).body.restlessIds ?? []) : [],
  )
  expect(restlessIds).toEqual([liar.id])
  expect(await follow()).toBe(1)
  expect((await ruleOf(group)).body).toMatchObject({ membersByRule: 2, restlessComputers: 0 })
})

test('computers that a rule must not move do not count against its limit', async () => {
  const [tills, other] = [await given.group(), await given.group()]
  await setRule(tills, { names: ['till-*'] }, { maxChangesPerHour: 1 })
  for (const name of ['till-1', 'till-2']) await given.member(other, await given.computer({ name }))

  await follow()

  expect((await ruleOf(tills)).body).toMatchObject({ state: 'Active', membersByRule: 0 })
})

test('a computer that changed unseen while a rule was set joins when the fleet is looked at, which goes on after a pause', async () => {
  const group = await assignmentGroup()
  const changeUnseen = async (name: string) => {
    const { id } = await given.computer({ name })
    await sql`delete from rule_candidates`.execute(db)
    return id
  }
  await setRule(group, { names: ['till-*'] })
  await changeUnseen('till-1')

  await follow()
  const afterwards = await membersOf(group)
  const id = await changeUnseen('till-2')
  await follow()
  const withinTheHour = await membersOf(group)
  // A look at the fleet that has ended just before this computer.
  await sql`update group_rules set swept_to = ${id - 1}`.execute(db)
  await follow()

  expect(afterwards).toEqual(['till-1 by rule'])
  expect(withinTheHour).toEqual(['till-1 by rule'])
  expect(await membersOf(group)).toEqual(['till-1 by rule', 'till-2 by rule'])
})

test('while one node follows the rules, another one does not', async () => {
  const group = await assignmentGroup()
  await setRule(group, { names: ['till-*'] })
  await given.computer({ name: 'till-1' })

  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.groupRules})`.execute(tx)
    expect(await followRules(db)).toBeUndefined()
  })

  expect(await follow()).toBe(1)
})
