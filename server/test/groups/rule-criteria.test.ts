import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { setComputerTags } from '../../src/features/depots/api/set-computer-tags.ts'
import { removeGroupRule } from '../../src/features/groups/api/remove-group-rule.ts'
import type { RuleCriteria } from '../../src/features/groups/api/rule-schemas.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { openRuleWorld } from './rule-world.ts'

const { as, db, given, writer, setRule, assignmentGroup, membersOf, follow, removeAll } = await openRuleWorld()

afterEach(removeAll)

test('computers match a rule by name, domain, system, model, network and tag, and by all of those that it has', async () => {
  const tagIds = []
  for (const designation of ['site:Berlin', 'site:Germany'])
    tagIds.push((await as('package.write').call(createTag, { body: { designation } })).body.id)
  const berlin = await given.computer({
    name: 'till-1',
    os_name: 'Debian',
    os_edition: '13',
    model: 'T_1',
    ip_address: '192.0.2.7',
  })
  await as('computer.write').call(setComputerTags, { params: { id: berlin.id }, body: { tagIds } })
  await given.computer({
    name: 'till-2',
    domain: 'shop.example',
    os_name: 'Debian',
    model: 'TX1',
    reported_ip_address: '192.0.2.200',
    ip_address: '192.0.2.8',
  })
  await given.computer({ name: 'Till%3', os_name: 'Windows 11' })
  await given.computer({ name: 'other', model: 'without a system' })

  const matched = async (criteria: RuleCriteria) => {
    const group = await assignmentGroup()
    const set = await setRule(group, criteria)
    const members = await membersOf(group)
    expect(set.body.joined).toBe(members.length)
    // The whole fleet is evaluated by index, and a changed computer by itself.
    await sql`delete from group_computers where group_id = ${group.id}`.execute(db)
    await sql`insert into rule_candidates (computer_id) select id from computers`.execute(db)
    await follow()
    expect(await membersOf(group)).toEqual(members)
    await writer.call(removeGroupRule, { params: { id: group.id } })
    return members
  }

  const [one, two, three] = ['till-1 by rule', 'till-2 by rule', 'Till%3 by rule']
  expect(await matched({ names: ['TILL-?'] })).toEqual([one, two])
  expect(await matched({ names: ['*%*'] })).toEqual([three])
  expect(await matched({ names: ['till-9', 'till-2'] })).toEqual([two])
  expect(await matched({ domains: ['*.example'] })).toEqual([two])
  expect(await matched({ operatingSystems: ['debian*'] })).toEqual([one, two])
  expect(await matched({ operatingSystems: ['Debian'] })).toEqual([two])
  expect(await matched({ operatingSystems: [''], names: ['other'] })).toEqual(['other by rule'])
  expect(await matched({ models: ['t_1'] })).toEqual([one])
  expect(await matched({ models: [''] })).toEqual([three])
  expect(await matched({ networks: ['192.0.2.0/25'] })).toEqual([one])
  expect(await matched({ networks: ['2001:db8::/32', '192.0.2.200'] })).toEqual([two])
  expect(await matched({ tags: ['site:*'] })).toEqual([one])
  expect(await matched({ names: ['till*'], operatingSystems: ['Debian*'], networks: ['192.0.2.0/24'] })).toEqual([
    one,
    two,
  ])
  expect(await matched({ operatingSystems: ['Debian*'], models: ['TX?', 'PX?'] })).toEqual([two])
  expect(await matched({ operatingSystems: ['windows*', 'debian 13'] })).toEqual([one, three])
  expect(await matched({ domains: ['*'], tags: ['SITE:berlin', 'other'] })).toEqual([one])
  expect(await matched({ names: ['*'], domains: ['shop.exampl?'] })).toEqual([two])
  expect(await matched({ names: ['till-1'], domains: ['*'] })).toEqual([one])
  expect(await matched({ names: ['till-1'], domains: ['*'], operatingSystems: ['windows*'] })).toEqual([])
  expect(await matched({ names: ['till*'], domains: ['*.example'] })).toEqual([two])
  expect(await matched({ names: ['*1'], domains: ['*'] })).toEqual([one])
  expect(await matched({ names: ['*1'], domains: ['*.example'] })).toEqual([])
  expect(await matched({ names: ['till-2'], tags: ['site:*'] })).toEqual([])
  expect(await matched({ domains: ['shop.example'], tags: ['site:*'] })).toEqual([])
  expect(await matched({ tags: ['site:Paris'] })).toEqual([])
})

test('a rule is set whichever letters the id of the group is written with', async () => {
  const group = await assignmentGroup()
  await given.computer({ name: 'kiosk-1' })

  const set = await setRule({ id: group.id.toUpperCase() }, { names: ['kiosk-*'] }, { query: { expectedCount: 1 } })

  expect(set.body.joined).toBe(1)
  expect(await membersOf(group)).toEqual(['kiosk-1 by rule'])
})
