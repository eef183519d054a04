import { expect, test } from 'vitest'
import { getComputerById } from '../../src/features/computers/computer-rows.ts'
import { searchComputerVariables } from '../../src/features/variables/api/computers/search-computer-variables.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { listGroupVariables } from '../../src/features/variables/api/groups/list-group-variables.ts'
import { searchGroupVariables } from '../../src/features/variables/api/groups/search-group-variables.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()

type Id<T> = { id: T }

async function forGroup(group: Id<string>, variable: Id<number>, body: { value?: string | null; forced?: boolean }) {
  return as('group.write').call(setGroupVariable, { params: { id: group.id, varId: variable.id }, body })
}

async function forComputer(computer: Id<number>, variable: Id<number>, value: string | null) {
  return as('computer.write').call(setComputerVariable, {
    params: { id: computer.id, varId: variable.id },
    body: { value },
  })
}

async function ofComputer({ id }: Id<number>, variable: Id<number>) {
  const body = { varId: variable.id, includeInherited: true }
  return (await as('computer.read').call(searchComputerVariables, { params: { id }, body })).body.items[0]
}

async function ofGroup({ id }: Id<string>, variable: Id<number>) {
  const body = { varId: variable.id, includeInherited: true }
  return (await as('group.read').call(searchGroupVariables, { params: { id }, body })).body.items[0]
}

async function configure(group: Id<string>, ...values: { variable: Id<number>; value: string }[]) {
  const configuration = await given.variableConfiguration(values)
  await db
    .insertInto('group_variable_configurations')
    .values({ group_id: group.id, configuration_id: configuration.id })
    .execute()
}

async function installPackage(group: Id<string>, variable: Id<number>, value: string) {
  const { id } = await db.insertInto('packages').values({ name: 'Editor' }).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('package_variables').values({ package_id: id, variable_id: variable.id, value }).execute()
  await db.insertInto('group_packages').values({ group_id: group.id, package_id: id }).execute()
}

test('a computer sees each source of a value once the stronger ones are gone', async () => {
  const outer = await given.group()
  const inner = await given.group({ parent: outer })
  const computer = await given.computer()
  await given.member(inner, computer)
  const variable = await given.variable({ default_value: 'catalog' })
  const seen = async () => {
    const { value, source, sourceGroupId } = (await ofComputer(computer, variable)) ?? {}
    return [value, source, sourceGroupId]
  }

  expect(await seen()).toEqual(['catalog', 'default', null])
  await installPackage(outer, variable, 'package')
  expect(await seen()).toEqual(['package', 'package', outer.id])
  await configure(outer, { variable, value: 'outer set' })
  expect(await seen()).toEqual(['outer set', 'configuration', outer.id])
  await forGroup(outer, variable, { value: 'outer' })
  expect(await seen()).toEqual(['outer', 'group', outer.id])
  await configure(inner, { variable, value: 'inner set' })
  expect(await seen()).toEqual(['inner set', 'configuration', inner.id])
  await forGroup(inner, variable, { value: 'inner' })
  expect(await seen()).toEqual(['inner', 'group', inner.id])
  await forComputer(computer, variable, 'own')
  expect(await seen()).toEqual(['own', 'computer', null])
  await forGroup(inner, variable, { value: 'forced inner', forced: true })
  expect(await seen()).toEqual(['forced inner', 'forced', inner.id])
  await forGroup(outer, variable, { value: 'forced outer', forced: true })
  expect(await seen()).toEqual(['forced outer', 'forced', outer.id])
})

test('a group sees its own value, then its configuration, then those above, and no package', async () => {
  const outer = await given.group()
  const inner = await given.group({ parent: outer })
  const variable = await given.variable({ default_value: 'catalog' })
  await installPackage(inner, variable, 'package')
  const seen = async () => {
    const { value, source, sourceGroupId, forced } = (await ofGroup(inner, variable)) ?? {}
    return [value, source, sourceGroupId, forced]
  }

  expect(await seen()).toEqual(['catalog', 'default', null, false])
  await forGroup(outer, variable, { value: 'outer' })
  expect(await seen()).toEqual(['outer', 'group', outer.id, false])
  await configure(inner, { variable, value: 'inner set' })
  expect(await seen()).toEqual(['inner set', 'configuration', inner.id, false])
  await forGroup(inner, variable, { value: 'inner' })
  expect(await seen()).toEqual(['inner', 'group', inner.id, false])
  await forGroup(outer, variable, { value: 'forced outer', forced: true })
  expect(await seen()).toEqual(['forced outer', 'forced', outer.id, true])
})

test('the flag of a forced value is kept when left out, and gone with the value', async () => {
  const group = await given.group()
  const variable = await given.variable()
  const first = await forGroup(group, variable, { value: '1' })
  await forGroup(group, variable, { value: '2', forced: true })

  const kept = await forGroup(group, variable, { value: '3' })
  const listed = await as('group.read').call(listGroupVariables, { params: { id: group.id } })
  await forGroup(group, variable, { value: null, forced: true })
  const renewed = await forGroup(group, variable, { value: '4' })

  expect(first.body.forced).toBe(false)
  expect(kept.body).toMatchObject({ value: '3', forced: true })
  expect(listed.body.items).toMatchObject([{ value: '3', forced: true }])
  expect(renewed.body.forced).toBe(false)
})

test('the value of a computer cannot be forced', async () => {
  const computer = await given.computer()
  const variable = await given.variable()
  const before = await fingerprints(db)

  const refused = await as('computer.write').send({
    method: 'PUT',
    url: `/api/computer/${computer.id}/variables/${variable.id}`,
    payload: { value: 'x', forced: true },
  })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'forced' }] } })
  expect(await fingerprints(db)).toEqual(before)
})

test('at the same distance the configuration tree comes before the assignment tree, and then the path decides', async () => {
  const computer = await given.computer()
  const later = await given.group({ tree: 'AssignmentGroups', name: 'b' })
  const earlier = await given.group({ tree: 'AssignmentGroups', name: 'a' })
  const configuration = await given.group()
  const variable = await given.variable()
  for (const group of [later, earlier, configuration]) {
    await given.member(group, computer)
    await forGroup(group, variable, { value: group.path })
  }

  const both = await ofComputer(computer, variable)
  await forGroup(configuration, variable, { value: null })
  const assigned = await ofComputer(computer, variable)

  expect(both?.sourceGroupId).toBe(configuration.id)
  expect(assigned?.sourceGroupId).toBe(earlier.id)
})

test('a pending reinstall brings no value nearer', async () => {
  const outer = await given.group()
  const middle = await given.group({ parent: outer })
  const inner = await given.group({ parent: middle })
  const computer = await given.computer()
  await given.member(inner, computer)
  const variable = await given.variable()
  await forGroup(outer, variable, { value: 'outer' })
  await forGroup(middle, variable, { value: 'middle' })

  await given.member(await given.group({ parent: outer, kind: 'Reinstall' }), computer)

  expect(await ofComputer(computer, variable)).toMatchObject({ value: 'middle', sourceGroupId: middle.id })
})

test('a special group takes values', async () => {
  const group = await given.group({ kind: 'EOL' })
  const variable = await given.variable()

  const answered = await forGroup(group, variable, { value: 'x' })

  expect(answered.status).toBe(200)
})

test('the organizational unit of a computer is the effective value of its variable', async () => {
  const group = await given.group()
  const computer = await given.computer()
  await given.member(group, computer)
  const variable = await db
    .selectFrom('variable_definitions')
    .select('id')
    .where('dotted_name', '=', 'DomainJoin.OuForComputerAccounts')
    .executeTakeFirstOrThrow()

  await forGroup(group, variable, { value: 'OU=Group' })
  const inherited = await getComputerById(db, computer.id)
  await forComputer(computer, variable, 'OU=Own')
  const own = await getComputerById(db, computer.id)

  expect([inherited.ou, own.ou]).toEqual(['OU=Group', 'OU=Own'])
  expect(own.lastModified).toEqual(inherited.lastModified)
})

test('setting a value leaves the modification time of a computer', async () => {
  const computer = await given.computer({ modified_at: new Date('2020-01-01') })
  const variable = await given.variable()

  await forComputer(computer, variable, 'x')

  expect((await getComputerById(db, computer.id)).lastModified).toEqual(new Date('2020-01-01'))
})
