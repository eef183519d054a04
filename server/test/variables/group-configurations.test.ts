import { describe, expect, test } from 'vitest'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { assignGroupVariableConfiguration } from '../../src/features/variables/api/configurations/assign-group-variable-configuration.ts'
import { listGroupVariableConfigurations } from '../../src/features/variables/api/configurations/list-group-variable-configurations.ts'
import { removeGroupVariableConfiguration } from '../../src/features/variables/api/configurations/remove-group-variable-configuration.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')
const unknownGroup = { id: '00000000-0000-4000-8000-000000000000' }
const unknownConfiguration = { id: 2_000_000_000 }

const assign = (group: { id: string }, configuration: { id: number }) =>
  writer.call(assignGroupVariableConfiguration, { params: { id: group.id }, body: { configId: configuration.id } })
const remove = (group: { id: string }, configuration: { id: number }) =>
  writer.call(removeGroupVariableConfiguration, { params: { id: group.id, configId: configuration.id } })
const list = (group: { id: string }, query: object = {}) =>
  as('group.read').call(listGroupVariableConfigurations, { params: { id: group.id }, query })

describe('assigning a variable configuration', () => {
  test('assigning a configuration answers 201 the first time and 200 after that', async () => {
    const [group, configuration] = [await given.group(), await given.variableConfiguration()]

    const [first, second] = [await assign(group, configuration), await assign(group, configuration)]

    const ids = { groupId: group.id, configId: configuration.id }
    expect(first).toMatchObject({ status: 201, body: { ...ids, alreadyAssigned: false } })
    expect(second).toMatchObject({ status: 200, body: { ...ids, alreadyAssigned: true } })
    expect((await list(group)).body.items).toEqual([{ ...configuration, description: null }])
  })

  test('several configurations can be assigned to a group of either tree and to the root', async () => {
    const groups = [
      await given.group(),
      await given.group({ tree: 'AssignmentGroups' }),
      await given.root('ConfigurationGroups'),
    ]
    const configurations = [await given.variableConfiguration(), await given.variableConfiguration()]

    for (const group of groups)
      for (const configuration of configurations) expect((await assign(group, configuration)).status).toBe(201)

    for (const group of groups)
      expect((await list(group)).body.items.map(({ id }) => id)).toEqual(configurations.map(({ id }) => id))
  })

  test('when twenty requests assign the same configuration at once, one gets 201 and the others 200', async () => {
    const [group, configuration] = [await given.group(), await given.variableConfiguration()]

    const results = await Promise.all(Array.from({ length: 20 }, () => assign(group, configuration)))

    expect(results.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'assigning a configuration to a %s group is refused with 409',
    async (kind) => {
      const [group, configuration] = [await given.group({ kind }), await given.variableConfiguration()]
      const before = await fingerprints(db)

      const refused = await assign(group, configuration)

      expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup', raw: { groupId: group.id } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test('assigning an unknown configuration, or assigning to an unknown group, answers 404', async () => {
    const [group, special] = [await given.group(), await given.group({ kind: 'EOL' })]
    const before = await fingerprints(db)

    const answers = [
      await assign(group, unknownConfiguration),
      await assign(special, unknownConfiguration),
      await assign(unknownGroup, unknownConfiguration),
    ]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      '404 VariableConfigurationNotFound',
      '404 VariableConfigurationNotFound',
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each([{}, { configId: 0 }, { configId: '1' }, { configId: null }])(
    'assigning a configuration with the body %j is refused with 400',
    async (payload) => {
      const group = await given.group()
      const before = await fingerprints(db)

      const refused = await writer.send({
        method: 'POST',
        url: `/api/group/${group.id}/variable-configurations`,
        payload,
      })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'configId' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})

describe('removing a variable configuration', () => {
  test('a configuration is removed from the given group only', async () => {
    const [group, other] = [await given.group(), await given.group()]
    const [gone, kept] = [await given.variableConfiguration(), await given.variableConfiguration()]
    for (const place of [group, other])
      for (const configuration of [gone, kept]) await given.assignment(place, configuration)

    const removed = await remove(group, gone)

    expect(removed).toMatchObject({ status: 204, raw: undefined })
    expect((await list(group)).body.items.map(({ id }) => id)).toEqual([kept.id])
    expect((await list(other)).body.totalCount).toBe(2)
  })

  test('removing a configuration that is not assigned, or from an unknown group, answers 404', async () => {
    const [group, configuration] = [await given.group(), await given.variableConfiguration()]
    await given.assignment(await given.group({ parent: group }), configuration)
    const before = await fingerprints(db)

    const answers = [
      await remove(group, configuration),
      await remove(group, unknownConfiguration),
      await remove(unknownGroup, configuration),
    ]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      '404 VariableConfigurationNotAssigned',
      '404 VariableConfigurationNotAssigned',
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test('removing a configuration with a malformed id is refused with 400', async () => {
    const group = await given.group()

    const refused = await writer.send({ method: 'DELETE', url: `/api/group/${group.id}/variable-configurations/x` })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'path', name: 'configId' }] } })
  })
})

test('the list contains only configurations assigned to the group itself, in pages, and answers 404 for an unknown group', async () => {
  const parent = await given.group()
  const group = await given.group({ parent })
  await given.assignment(parent, await given.variableConfiguration())
  const configurations = [
    await given.variableConfiguration(),
    await given.variableConfiguration(),
    await given.variableConfiguration(),
  ]
  for (const configuration of configurations) await given.assignment(group, configuration)

  const page = await list(group, { skip: 1, top: 1 })

  expect(page.body).toMatchObject({ skip: 1, top: 1, totalCount: 3, hasMore: true })
  expect(page.body.items).toMatchObject([{ id: configurations[1]?.id }])
  expect(await list(unknownGroup)).toMatchObject({ status: 404, problem: 'GroupNotFound' })
})

test('deleting a group deletes its assignments but not the configuration', async () => {
  const [group, other] = [await given.group(), await given.group()]
  const configuration = await given.variableConfiguration()
  for (const place of [group, other]) await given.assignment(place, configuration)

  await writer.call(deleteGroup, { params: { id: group.id } })

  expect((await list(other)).body.items).toMatchObject([{ id: configuration.id }])
})
