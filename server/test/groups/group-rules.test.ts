import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupRule } from '../../src/features/groups/api/remove-group-rule.ts'
import { setGroupKind } from '../../src/features/groups/api/set-group-kind.ts'
import { setGroupRule } from '../../src/features/groups/api/set-group-rule.ts'
import { insertMembers } from '../../src/features/groups/insert-members.ts'
import { removeMembers } from '../../src/features/groups/remove-members.ts'
import { findInversions, recordLocks } from '../world/record-locks.ts'
import { fingerprints } from '../world/tables.ts'
import { openRuleWorld } from './rule-world.ts'

const { as, db, given, writer, setRule, ruleOf, add, remove, rename, assignmentGroup, membersOf, follow, removeAll } =
  await openRuleWorld()

afterEach(removeAll)

test('a rule names the computers that join only to who may read computers', async () => {
  const group = await assignmentGroup()
  await given.computer({ name: 'kiosk-1' })
  const query = { dryRun: true }
  const rule = { params: { id: group.id }, body: { criteria: { names: ['kiosk-*'] } }, query }

  const shown = await as('group.read', 'group.write').call(setGroupRule, rule)

  expect(shown.body).toMatchObject({ joined: 1, joinedNames: [], leftNames: [] })
})

test('a dry run shows who would join and leave, and changes nothing', async () => {
  const group = await assignmentGroup()
  for (const name of ['kiosk-1', 'kiosk-2', 'desk-1']) await given.computer({ name })
  await setRule(group, { names: ['kiosk-*'] })
  const before = await fingerprints(db)

  const shown = await setRule(group, { names: ['desk-*', 'kiosk-2'] }, { query: { dryRun: true } })

  expect(shown.body).toMatchObject({
    joined: 1,
    left: 1,
    joinedNames: ['desk-1'],
    leftNames: ['kiosk-1'],
    membersByRule: 2,
  })
  expect(shown.headers['muster-affected-computers']).toBe('2')
  expect(await fingerprints(db)).toEqual(before)
  expect(await membersOf(group)).toEqual(['kiosk-1 by rule', 'kiosk-2 by rule'])
})

test('a rule is set only for the expected number of computers and the expected version', async () => {
  const group = await assignmentGroup()
  for (const name of ['kiosk-1', 'kiosk-2']) await given.computer({ name })
  const { headers } = await ruleOf(group)

  const surprising = await setRule(group, { names: ['kiosk-*'] }, { query: { expectedCount: 1 } })
  const set = await setRule(group, { names: ['kiosk-*'] }, { query: { expectedCount: 2 } })
  const stale = await setRule(group, { names: ['*'] }, { headers: { 'if-match': headers.etag ?? '' } })

  expect(surprising).toMatchObject({ status: 409, raw: { expectedCount: 1, actualCount: 2 } })
  expect(set.body.joined).toBe(2)
  expect(stale.status).toBe(412)
})

test('computers join and leave a few seconds after they have changed, with the events and the audit of a change by hand', async () => {
  const group = await assignmentGroup()
  await setRule(group, { names: ['till-*'] })
  const computer = await given.computer({ name: 'till-1' })

  await follow()
  const joined = await membersOf(group)
  await rename(computer, 'desk-1')
  await follow()

  expect(joined).toEqual(['till-1 by rule'])
  expect(await membersOf(group)).toEqual([])
  const { rows } = await sql<{ type: string }>`
    select type from event_outbox where subject = ${`/api/group/${group.id}`} and type like 'muster.group.%' order by id`.execute(
    db,
  )
  expect(rows.map(({ type }) => type.replace('muster.group.', ''))).toEqual([
    'created',
    'rule-changed',
    'computers-added',
    'computers-removed',
  ])
  const { items } = (await as('admin.manage').call(listAuditEntries, { query: { top: 2 } })).body
  expect(items).toMatchObject([
    { operation: 'followGroupRule', target: `/api/group/${group.id}`, principalName: 'rule of the group' },
    { operation: 'followGroupRule' },
  ])
})

test('members that people have added stay, and those that people have removed are not added again', async () => {
  const group = await assignmentGroup()
  const [byHand, removed, taken] = [
    await given.computer({ name: 'till-1' }),
    await given.computer({ name: 'till-2' }),
    await given.computer({ name: 'till-3' }),
  ]
  await add(group, byHand)
  await setRule(group, { names: ['till-*'] })
  await remove(group, removed)
  await add(group, taken)

  await rename(removed, 'till-22')
  for (const computer of [byHand, taken]) await rename(computer, `desk-${computer.id}`)
  await follow()

  expect(await membersOf(group)).toEqual([`desk-${byHand.id}`, `desk-${taken.id}`])
  expect((await ruleOf(group)).body).toMatchObject({ membersByRule: 0, excludedComputers: 1 })
  expect((await setRule(group, { names: ['till-*'] })).body.joined).toBe(0)
})

test('a computer that people have removed and added again is no longer counted as excluded', async () => {
  const group = await assignmentGroup()
  const [again, removed] = [await given.computer({ name: 'till-1' }), await given.computer({ name: 'till-2' })]
  await setRule(group, { names: ['till-*'] })
  for (const computer of [again, removed]) await remove(group, computer)

  await add(group, again)

  expect((await ruleOf(group)).body).toMatchObject({ membersByRule: 0, excludedComputers: 1 })
})

test('people also win if they add or remove a computer while the rule is being evaluated', async () => {
  const group = await assignmentGroup()
  const [added, removed] = [await given.computer({ name: 'desk-1' }), await given.computer({ name: 'till-1' })]
  await setRule(group, { names: ['till-*'] })
  await add(group, added)
  await remove(group, removed)

  // What the rule has found before that.
  const left = await removeMembers(db, group, [added.id], 'Rule')
  const statuses = await insertMembers(db, { id: group.id, is_exclusive: false }, [removed.id], 'Rule')

  expect(left).toEqual(new Set())
  expect([...statuses.values()]).not.toContain('Added')
  expect(await membersOf(group)).toEqual(['desk-1'])
})

test('a rule never takes a computer from another configuration group, and a computer that leaves one joins the next', async () => {
  const [tills, desks, other] = [await given.group(), await given.group(), await given.group()]
  const computer = await given.computer({ name: 'till-1' })
  await given.member(other, computer)

  const shown = await setRule(tills, { names: ['till-*'] }, { query: { dryRun: true } })
  const set = await setRule(tills, { names: ['till-*'] })
  await setRule(desks, { names: ['desk-*'] })
  await follow()
  const inOther = await membersOf(tills)
  await remove(other, computer)
  await follow()
  const inTills = await membersOf(tills)
  await rename(computer, 'desk-1')
  await follow()

  expect(shown.headers['muster-affected-computers']).toBe('0')
  expect(set.body).toMatchObject({ joined: 0, inOtherConfigurationGroup: 1 })
  expect([inOther, inTills]).toEqual([[], ['till-1 by rule']])
  expect([await membersOf(tills), await membersOf(desks)]).toEqual([[], ['desk-1 by rule']])
})

test('a computer of a configuration group joins assignment groups by their rules', async () => {
  const [site, tills] = [await given.group(), await assignmentGroup()]
  const computer = await given.computer({ name: 'till-1' })
  await given.member(site, computer)

  const set = await setRule(tills, { names: ['till-*'] })

  expect(set.body).toMatchObject({ joined: 1, inOtherConfigurationGroup: 0 })
})

test('members by hand and computers that people have removed do not count as affected by a rule', async () => {
  const group = await assignmentGroup()
  const [byHand, removed] = [await given.computer({ name: 'desk-1' }), await given.computer({ name: 'till-1' })]
  await given.computer({ name: 'till-2' })
  await add(group, byHand)
  await setRule(group, { names: ['till-*'] })
  await remove(group, removed)

  const shown = await setRule(group, { names: ['till-1'] }, { query: { dryRun: true } })

  // Only the second till would leave.
  expect(shown.headers['muster-affected-computers']).toBe('1')
})

test('a computer that people have removed may join again by a rule that is set after the old one was removed', async () => {
  const group = await assignmentGroup()
  const computer = await given.computer({ name: 'till-1' })
  await setRule(group, { names: ['till-*'] })
  await remove(group, computer)
  await writer.call(removeGroupRule, { params: { id: group.id } })

  const set = await setRule(group, { names: ['till-*'] })

  expect(set.body).toMatchObject({ joined: 1, excludedComputers: 0 })
})

test('while everything is frozen, rules change nobody, and afterwards they go on', async () => {
  const group = await assignmentGroup()
  await setRule(group, { names: ['till-*'] })
  await given.computer({ name: 'till-1' })
  const administrator = as('admin.manage')

  await administrator.call(setFreeze, { body: { frozen: true, reason: 'A mistake' } })
  await follow()
  const frozen = await membersOf(group)
  await administrator.call(setFreeze, { body: { frozen: false } })
  await follow()

  expect(frozen).toEqual([])
  expect(await membersOf(group)).toEqual(['till-1 by rule'])
})

test('the members of an EOL group stay as they are, and follow the rule when it is an ordinary group again', async () => {
  const group = await assignmentGroup()
  const params = { id: group.id }
  await setRule(group, { names: ['till-*'] })
  await follow()
  await writer.call(setGroupKind, { params, body: { kind: 'EOL' } })
  await given.computer({ name: 'till-1' })
  await follow()
  const refused = await setRule(group, { names: ['*'] })
  const kept = await membersOf(group)
  await writer.call(setGroupKind, { params, body: { kind: 'Ordinary' } })

  // The whole fleet is looked at once an hour.
  await sql`update group_rules set swept_at = now() - interval '2 hours'`.execute(db)
  await follow()

  expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  expect(kept).toEqual([])
  expect(await membersOf(group)).toEqual(['till-1 by rule'])
})

test('without its rule, a group keeps its members, and a deleted group takes its rule with it', async () => {
  const [group, other] = [await assignmentGroup(), await assignmentGroup()]
  const computer = await given.computer({ name: 'till-1' })
  await setRule(group, { names: ['till-*'] })
  await setRule(other, { names: ['till-*'] })

  await writer.call(removeGroupRule, { params: { id: group.id } })
  const deleted = await writer.call(deleteGroup, { params: { id: other.id }, query: { force: true } })
  await rename(computer, 'desk-1')
  await follow()

  expect((await ruleOf(group)).body).toMatchObject({ state: 'None', criteria: null, membersByRule: 0 })
  expect(await membersOf(group)).toEqual(['desk-1'])
  expect(deleted.status).toBe(204)
})

test('a rule needs a criterion, networks that are networks, and a group of computers', async () => {
  const group = await assignmentGroup()
  const users = await given.group({ tree: 'UserGroups' })

  const empty = await setRule(group, {})
  const wrong = await setRule(group, { networks: ['192.0.2.0/24', '300.1.1.1'] })

  const ofUsers = await setRule(users, { names: ['*'] })

  expect(empty.status).toBe(400)
  expect(ofUsers).toMatchObject({ status: 409, problem: 'NotEditableTree' })
  expect(wrong).toMatchObject({ status: 400, raw: { errors: [{ name: 'criteria.networks' }] } })
})

test('rules lock rows in the documented order, even if members of several groups join and leave', async () => {
  const groups = [await given.group(), await assignmentGroup(), await assignmentGroup()]
  for (const group of groups) await setRule(group, { names: ['till-*'] })
  const computers = []
  for (const name of ['till-1', 'till-2', 'desk-1', 'desk-2']) computers.push(await given.computer({ name }))
  await follow()
  for (const [n, computer] of computers.toReversed().entries())
    await rename(computer, `${n < 2 ? 'till' : 'desk'}-${n}${n}`)

  const followed = await recordLocks(db, async () => expect(await follow()).toBe(12))
  const [, group] = groups
  const set = await recordLocks(db, () => setRule(group ?? { id: '' }, { names: ['desk-*'] }))

  expect(followed.length).toBeGreaterThan(12)
  expect([...findInversions(followed), ...findInversions(set)]).toEqual([])
})
