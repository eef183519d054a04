import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { setComputerTags } from '../../src/features/depots/api/set-computer-tags.ts'
import { removeGroupRule } from '../../src/features/groups/api/remove-group-rule.ts'
import { GroupRuleCriteria, type RuleCriteria } from '../../src/features/groups/api/rule-schemas.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { createGroupCollectionEntry } from '../../src/features/variables/api/groups/create-group-collection-entry.ts'
import { getGroupVariable } from '../../src/features/variables/api/groups/get-group-variable.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openRuleWorld } from './rule-world.ts'

const { as, db, given, writer, setRule, ruleOf, assignmentGroup, membersOf, follow, removeAll } = await openRuleWorld()

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

type Group = { id: string }

/** Whether agents report the property of a criterion: then a computer can choose it. */
const isReported = { names: false, domains: false, operatingSystems: true, models: true, networks: true, tags: false }
const criteriaWith = (name: string): RuleCriteria => ({ [name]: [name === 'networks' ? '10.66.0.0/16' : 'till-*'] })

/** The ways in which a group gets a secret value. */
const secrets: Record<string, (group: Group) => Promise<unknown>> = {
  'a variable': async (group) => {
    const variable = await given.variable({ is_secret: true })
    const params = { id: group.id, varId: variable.id }
    return writer.call(setGroupVariable, { params, body: { value: 'the password of the tills' } })
  },
  'a collection': async (group) => {
    const parent = await given.variable({ kind: 'Collection' })
    await given.variable({ parent, designation: 'Password', is_secret: true })
    const body = { values: { Password: 'the password of the tills' } }
    return writer.call(createGroupCollectionEntry, { params: { id: group.id, varId: parent.id }, body })
  },
  'a configuration': async (group) => {
    const variable = await given.variable({ is_secret: true })
    const configuration = await given.variableConfiguration([{ variable, value: 'the password of the tills' }])
    return given.assignment(group, configuration, 'variableConfiguration')
  },
}

test('a rule on properties that computers report themselves says so, and one on others does not', async () => {
  const group = await assignmentGroup()
  expect(Object.keys(isReported)).toEqual(Object.keys(GroupRuleCriteria.properties))

  for (const [name, isWarned] of Object.entries(isReported)) {
    const shown = await setRule(group, criteriaWith(name), { query: { dryRun: true } })
    const set = await setRule(group, criteriaWith(name))
    const read = await ruleOf(group)

    const warning = isWarned ? { code: 'ReportedProperties', message: expect.stringContaining('themselves') } : null
    for (const { body } of [shown, set, read]) expect([name, body.warning]).toEqual([name, warning])
  }
})

test.each(Object.entries(secrets))(
  'a rule on reported properties says that its group has or inherits %s with a secret value',
  async (_name, giveSecret) => {
    const above = await assignmentGroup()
    const [owner, heir, other] = [
      await assignmentGroup(),
      await given.group({ tree: 'AssignmentGroups', parent: above }),
      await assignmentGroup(),
    ]
    for (const group of [owner, heir, other]) await setRule(group, criteriaWith('networks'))

    for (const group of [owner, above]) await giveSecret(group)
    await setRule(heir, criteriaWith('networks'))
    const codes = []
    for (const group of [owner, heir, other]) codes.push((await ruleOf(group)).body.warning?.code)

    expect(codes).toEqual(['ReportedPropertiesGiveSecrets', 'ReportedPropertiesGiveSecrets', 'ReportedProperties'])
  },
)

test('setting a secret value says that computers choose by what they report whether they get it', async () => {
  const above = await assignmentGroup()
  const below = await given.group({ tree: 'AssignmentGroups', parent: above })
  const [secret, plain] = [await given.variable({ is_secret: true }), await given.variable()]
  const codeOf = async (group: Group, variable: { id: number }) => {
    const params = { id: group.id, varId: variable.id }
    const set = await writer.call(setGroupVariable, { params, body: { value: 'a value' } })
    const read = await writer.call(getGroupVariable, { params })
    expect(read.body.warning).toEqual(set.body.warning)
    return set.body.warning?.code
  }

  await setRule(below, criteriaWith('names'))
  const byName = await codeOf(above, secret)
  await setRule(below, criteriaWith('models'))

  expect(byName).toBeUndefined()
  for (const group of [above, below]) expect(await codeOf(group, secret)).toBe('SecretForReportedProperties')
  expect(await codeOf(below, plain)).toBeUndefined()
})
