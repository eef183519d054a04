import { describe, expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { searchComputerVariables } from '../../src/features/variables/api/computers/search-computer-variables.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { searchVariableDefinitions } from '../../src/features/variables/api/definitions/search-variable-definitions.ts'
import { listGroupVariables } from '../../src/features/variables/api/groups/list-group-variables.ts'
import { searchGroupVariables } from '../../src/features/variables/api/groups/search-group-variables.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()

type Id<T> = { id: T }

type GroupValue = { value?: string | null; forced?: boolean; schedule?: string | null }

async function setOnGroup(group: Id<string>, variable: Id<number>, body: GroupValue) {
  return as('group.write').call(setGroupVariable, { params: { id: group.id, varId: variable.id }, body })
}

async function setOnComputer(computer: Id<number>, variable: Id<number>, value: string | null, schedule?: string) {
  return as('computer.write').call(setComputerVariable, {
    params: { id: computer.id, varId: variable.id },
    body: { value, ...(schedule !== undefined && { schedule }) },
  })
}

async function effectiveOnComputer({ id }: Id<number>, variable: Id<number>) {
  const body = { varId: variable.id, includeInherited: true }
  return (await as('computer.read').call(searchComputerVariables, { params: { id }, body })).body.items[0]
}

async function effectiveOnGroup({ id }: Id<string>, variable: Id<number>) {
  const body = { varId: variable.id, includeInherited: true }
  return (await as('group.read').call(searchGroupVariables, { params: { id }, body })).body.items[0]
}

async function assignConfiguration(group: Id<string>, ...values: { variable: Id<number>; value: string }[]) {
  const configuration = await given.variableConfiguration(values)
  await given.assignment(group, configuration)
}

async function assignPackage(group: Id<string>, variable: Id<number>, value: string) {
  const software = await given.package()
  await db
    .insertInto('package_variables')
    .values({ package_id: software.id, variable_id: variable.id, value })
    .execute()
  await given.assignment(group, software, 'package')
}

async function readComputer({ id }: Id<number>) {
  return (await as('computer.read').call(getComputer, { params: { id } })).body
}

test('each stronger source of a value overrides the weaker ones for a computer', async () => {
  const outer = await given.group()
  const inner = await given.group({ parent: outer })
  const computer = await given.computer()
  await given.member(inner, computer)
  const variable = await given.variable({ default_value: 'catalog' })
  const effective = async () => {
    const { value, source, sourceGroupId } = (await effectiveOnComputer(computer, variable)) ?? {}
    return [value, source, sourceGroupId]
  }

  expect(await effective()).toEqual(['catalog', 'default', null])
  await assignPackage(outer, variable, 'package')
  expect(await effective()).toEqual(['package', 'package', outer.id])
  await assignConfiguration(outer, { variable, value: 'outer set' })
  expect(await effective()).toEqual(['outer set', 'configuration', outer.id])
  await setOnGroup(outer, variable, { value: 'outer' })
  expect(await effective()).toEqual(['outer', 'group', outer.id])
  await assignConfiguration(inner, { variable, value: 'inner set' })
  expect(await effective()).toEqual(['inner set', 'configuration', inner.id])
  await setOnGroup(inner, variable, { value: 'inner' })
  expect(await effective()).toEqual(['inner', 'group', inner.id])
  await setOnComputer(computer, variable, 'own')
  expect(await effective()).toEqual(['own', 'computer', null])
  await setOnGroup(inner, variable, { value: 'forced inner', forced: true })
  expect(await effective()).toEqual(['forced inner', 'forced', inner.id])
  await setOnGroup(outer, variable, { value: 'forced outer', forced: true })
  expect(await effective()).toEqual(['forced outer', 'forced', outer.id])
  expect(await effectiveOnComputer(computer, variable)).toMatchObject({ sourceGroupPath: outer.path })
})

test('a group has its own value, then that of its configuration, then that of the group above, and none of packages', async () => {
  const outer = await given.group()
  const inner = await given.group({ parent: outer })
  const variable = await given.variable({ default_value: 'catalog' })
  await assignPackage(inner, variable, 'package')
  const effective = async () => {
    const { value, source, sourceGroupId, forced } = (await effectiveOnGroup(inner, variable)) ?? {}
    return [value, source, sourceGroupId, forced]
  }

  expect(await effective()).toEqual(['catalog', 'default', null, false])
  await setOnGroup(outer, variable, { value: 'outer' })
  expect(await effective()).toEqual(['outer', 'group', outer.id, false])
  await assignConfiguration(inner, { variable, value: 'inner set' })
  expect(await effective()).toEqual(['inner set', 'configuration', inner.id, false])
  await setOnGroup(inner, variable, { value: 'inner' })
  expect(await effective()).toEqual(['inner', 'group', inner.id, false])
  await setOnGroup(outer, variable, { value: 'forced outer', forced: true })
  expect(await effective()).toEqual(['forced outer', 'forced', outer.id, true])
})

describe('schedules', () => {
  const minuteMs = 60_000
  const [past, future] = ['2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z']

  test('a value from any source is without effect before the time of its schedule', async () => {
    const [outer, computer] = [await given.group(), await given.computer()]
    const inner = await given.group({ parent: outer })
    await given.member(inner, computer)
    const variable = await given.variable({ default_value: 'catalog' })
    const write = async (schedule: string) => {
      await setOnGroup(outer, variable, { value: 'forced', forced: true, schedule })
      await setOnComputer(computer, variable, 'own', schedule)
      await setOnGroup(inner, variable, { value: 'group', schedule })
    }
    await given.assignment(inner, await given.variableConfiguration([{ variable, value: 'set', schedule: future }]))
    const values = async () =>
      [await effectiveOnComputer(computer, variable), await effectiveOnGroup(inner, variable)].map(
        (item) => item?.value,
      )

    await write(future)
    expect(await values()).toEqual(['catalog', 'catalog'])
    await given.assignment(outer, await given.variableConfiguration([{ variable, value: 'older set', schedule: past }]))
    expect(await values()).toEqual(['older set', 'older set'])
    await setOnGroup(inner, variable, { value: 'group', schedule: past })
    expect(await values()).toEqual(['group', 'group'])
    await write(past)
    expect(await values()).toEqual(['forced', 'forced'])
  })

  test.each([
    ['UTC', (time: Date) => time.toISOString()],
    ['no offset, which means UTC', (time: Date) => time.toISOString().slice(0, 19)],
    ['no seconds', (time: Date) => time.toISOString().slice(0, 16)],
    ['neither seconds nor separators in its offset', (time: Date) => `${time.toISOString().slice(0, 16)}+0000`],
    ['a space', (time: Date) => time.toISOString().replace('T', ' ')],
    ['small letters', (time: Date) => time.toISOString().toLowerCase()],
    ['an offset', (time: Date) => `${new Date(time.getTime() + 330 * minuteMs).toISOString().slice(0, 19)}+05:30`],
  ])('the time of a schedule may be written with %s', async (_, format) => {
    const computer = await given.computer()
    const variable = await given.variable()

    const later = await setOnComputer(computer, variable, 'later', format(new Date(Date.now() + 2 * minuteMs)))
    const before = await effectiveOnComputer(computer, variable)
    await setOnComputer(computer, variable, 'now', format(new Date(Date.now() - 2 * minuteMs)))
    const after = await effectiveOnComputer(computer, variable)

    expect([later.body.value, before?.value, after?.value]).toEqual(['later', null, 'now'])
  })

  test('a schedule without a time begins with its day in UTC', async () => {
    const [computer, variable] = [await given.computer(), await given.variable()]
    const day = (offset: number) => new Date(Date.now() + offset * 1_440 * minuteMs).toISOString().slice(0, 10)

    await setOnComputer(computer, variable, 'later', day(2))
    const before = await effectiveOnComputer(computer, variable)
    await setOnComputer(computer, variable, 'now', day(0))

    expect([before?.value, (await effectiveOnComputer(computer, variable))?.value]).toEqual([null, 'now'])
  })

  test.each([
    ...['nightly', 'after the move to floor 3', '0 22 * * *', 'P1D', '20261201', '01.12.2026', 'tomorrow', ' '],
    ...['2026-13-01T00:00:00Z', '2026-12', '2026-02-30T00:00:00Z', '2026-12-01T', '2026-12-01Z'],
    ...[' 2026-12-01T00:00:00Z', '2026-12-01T25:00:00Z', '2026-12-01T22', '2026-12-01T22:00:60Z', '0000-01-01'],
    ...['2999-01-01T00:00:00+23:00', `2999-01-01T00:00:00.${'0'.repeat(130)}Z`],
  ])('a schedule that names no time is refused, and nothing changes: %s', async (schedule) => {
    const [computer, variable] = [await given.computer(), await given.variable()]
    await setOnComputer(computer, variable, 'before')

    const onComputer = await setOnComputer(computer, variable, 'after', schedule)
    const onGroup = await setOnGroup(await given.group(), variable, { value: 'after', schedule })

    for (const answer of [onComputer, onGroup])
      expect(answer).toMatchObject({ status: 400, raw: { errors: [{ name: 'schedule' }] } })
    expect((await effectiveOnComputer(computer, variable))?.value).toBe('before')
  })

  test('an OU that is set on a computer takes effect at once, whatever schedule its variable had', async () => {
    const computer = await given.computer()
    const found = await as('package.read').call(searchVariableDefinitions, { body: { name: 'OuForComputerAccounts' } })
    const variable = { id: found.body.items[0]?.varId ?? 0 }
    await setOnComputer(computer, variable, 'OU=Later', future)
    const before = await readComputer(computer)

    await as('computer.write').call(updateComputer, { params: { id: computer.id }, body: { ou: 'OU=Now' } })

    expect([before.ou, (await readComputer(computer)).ou]).toEqual([null, 'OU=Now'])
  })
})

test('the forced flag is kept if it is missing in a request, and deleted with the value', async () => {
  const group = await given.group()
  const variable = await given.variable()
  const first = await setOnGroup(group, variable, { value: '1' })
  await setOnGroup(group, variable, { value: '2', forced: true })

  const kept = await setOnGroup(group, variable, { value: '3' })
  const listed = await as('group.read').call(listGroupVariables, { params: { id: group.id } })
  await setOnGroup(group, variable, { value: null, forced: true })
  const recreated = await setOnGroup(group, variable, { value: '4' })

  expect(first.body.forced).toBe(false)
  expect(kept.body).toMatchObject({ value: '3', forced: true })
  expect(listed.body.items).toMatchObject([{ value: '3', forced: true }])
  expect(recreated.body.forced).toBe(false)
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

test('at the same distance, the configuration tree comes before the assignment tree, and then the order of paths decides', async () => {
  const computer = await given.computer()
  const later = await given.group({ tree: 'AssignmentGroups', name: 'b' })
  const earlier = await given.group({ tree: 'AssignmentGroups', name: 'a' })
  const configuration = await given.group()
  const variable = await given.variable()
  for (const group of [later, earlier, configuration]) {
    await given.member(group, computer)
    await setOnGroup(group, variable, { value: group.path })
  }

  const both = await effectiveOnComputer(computer, variable)
  await setOnGroup(configuration, variable, { value: null })
  const assigned = await effectiveOnComputer(computer, variable)

  expect(both?.sourceGroupId).toBe(configuration.id)
  expect(assigned?.sourceGroupId).toBe(earlier.id)
})

test('membership in a Reinstall group does not bring a value nearer', async () => {
  const outer = await given.group()
  const middle = await given.group({ parent: outer })
  const inner = await given.group({ parent: middle })
  const computer = await given.computer()
  await given.member(inner, computer)
  const variable = await given.variable()
  await setOnGroup(outer, variable, { value: 'outer' })
  await setOnGroup(middle, variable, { value: 'middle' })

  await given.member(await given.group({ parent: outer, kind: 'Reinstall' }), computer)

  expect(await effectiveOnComputer(computer, variable)).toMatchObject({ value: 'middle', sourceGroupId: middle.id })
})

test('values can be set on a special group', async () => {
  const group = await given.group({ kind: 'EOL' })
  const variable = await given.variable()

  const written = await setOnGroup(group, variable, { value: 'x' })

  expect(written.status).toBe(200)
})

test('the organizational unit of a computer is the effective value of its variable', async () => {
  const group = await given.group()
  const computer = await given.computer()
  await given.member(group, computer)
  const body = { name: 'DomainJoin.OuForComputerAccounts' }
  const [definition] = (await as('package.read').call(searchVariableDefinitions, { body })).body.items
  const variable = { id: definition?.varId ?? 0 }

  await setOnGroup(group, variable, { value: 'OU=Group' })
  const inherited = await readComputer(computer)
  await setOnComputer(computer, variable, 'OU=Own')
  const own = await readComputer(computer)

  expect([inherited.ou, own.ou]).toEqual(['OU=Group', 'OU=Own'])
  expect(Date.parse(own.lastModified ?? '')).toBeGreaterThan(Date.parse(inherited.lastModified ?? ''))
})

test('setting a value that the computer itself does not show does not change its modification time', async () => {
  const computer = await given.computer({ modified_at: new Date('2020-01-01') })
  const variable = await given.variable()

  await setOnComputer(computer, variable, 'x')

  expect((await readComputer(computer)).lastModified).toBe('2020-01-01T00:00:00.000Z')
})
