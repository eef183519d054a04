import { expect, test } from 'vitest'
import { getVariableConfiguration } from '../../src/features/variables/api/configurations/get-variable-configuration.ts'
import { listVariableConfigurationGroups } from '../../src/features/variables/api/configurations/list-variable-configuration-groups.ts'
import { listVariableConfigurations } from '../../src/features/variables/api/configurations/list-variable-configurations.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read')

test('a configuration is read with its values, ordered by varId', async () => {
  const [first, second] = [await given.variable(), await given.variable()]
  const { id, name } = await given.variableConfiguration([
    { variable: second, value: '' },
    { variable: first, value: 'v', schedule: 'nightly' },
  ])

  const read = await reader.call(getVariableConfiguration, { params: { id } })

  const named = { isSecret: false }
  expect(read.body).toEqual({
    id,
    name,
    description: null,
    values: [
      {
        ...named,
        varId: first.id,
        designation: first.designation,
        dottedName: first.dotted_name,
        value: 'v',
        schedule: 'nightly',
      },
      {
        ...named,
        varId: second.id,
        designation: second.designation,
        dottedName: second.dotted_name,
        value: '',
        schedule: null,
      },
    ],
  })
})

test('configurations are listed in pages by id', async () => {
  const made = [await given.variableConfiguration(), await given.variableConfiguration()]

  const all = await reader.call(listVariableConfigurations, { query: { top: 1000 } })
  const page = await reader.call(listVariableConfigurations, { query: { top: 1 } })

  expect(all.body.items.slice(-2)).toEqual(made.map(({ id, name }) => ({ id, name, description: null })))
  expect(page.body).toMatchObject({ top: 1, hasMore: true, totalCount: all.body.totalCount })
})

test('the groups of a configuration are those with a direct assignment', async () => {
  const configuration = await given.variableConfiguration()
  const group = await given.group({ description: 'Branch' })
  await given.group({ parent: group })
  await db
    .insertInto('group_variable_configurations')
    .values({ group_id: group.id, configuration_id: configuration.id })
    .execute()

  const listed = await reader.call(listVariableConfigurationGroups, { params: { id: configuration.id } })

  const root = await given.root('ConfigurationGroups')
  expect(listed.body.items).toEqual([
    { id: group.id, name: group.name, assignedToTree: group.tree, parentId: root.id, description: 'Branch' },
  ])
})

test('an unknown configuration is 404', async () => {
  const params = { id: 2_000_000_000 }

  const refused = [
    await reader.call(getVariableConfiguration, { params }),
    await reader.call(listVariableConfigurationGroups, { params }),
  ]

  for (const one of refused)
    expect(one).toMatchObject({
      status: 404,
      problem: 'VariableConfigurationNotFound',
      raw: { configId: 2_000_000_000 },
    })
})
