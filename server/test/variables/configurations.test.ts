import { expect, test } from 'vitest'
import { getVariableConfiguration } from '../../src/features/variables/api/configurations/get-variable-configuration.ts'
import { listVariableConfigurationGroups } from '../../src/features/variables/api/configurations/list-variable-configuration-groups.ts'
import { listVariableConfigurations } from '../../src/features/variables/api/configurations/list-variable-configurations.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const reader = as('package.read')

test('a variable configuration is returned with its values, ordered by varId', async () => {
  const [first, second] = [await given.variable(), await given.variable()]
  const { id, name } = await given.variableConfiguration([
    { variable: second, value: '' },
    { variable: first, value: 'v', schedule: '2001-01-01T00:00:00Z' },
  ])

  const read = await reader.call(getVariableConfiguration, { params: { id } })

  expect(read.body).toEqual({
    id,
    name,
    description: null,
    values: [
      {
        isSecret: false,
        varId: first.id,
        designation: first.designation,
        dottedName: first.dotted_name,
        value: 'v',
        schedule: '2001-01-01T00:00:00Z',
      },
      {
        isSecret: false,
        varId: second.id,
        designation: second.designation,
        dottedName: second.dotted_name,
        value: '',
        schedule: null,
      },
    ],
  })
})

test('variable configurations are listed in pages, ordered by id', async () => {
  const configurations = [await given.variableConfiguration(), await given.variableConfiguration()]

  const all = await reader.call(listVariableConfigurations, { query: { top: 1000 } })
  const page = await reader.call(listVariableConfigurations, { query: { top: 1 } })

  expect(all.body.items.slice(-2)).toEqual(configurations.map(({ id, name }) => ({ id, name, description: null })))
  expect(page.body).toMatchObject({ top: 1, hasMore: true, totalCount: all.body.totalCount })
})

test('the groups of a variable configuration are those that it is assigned to directly', async () => {
  const configuration = await given.variableConfiguration()
  const group = await given.group({ description: 'Branch' })
  await given.group({ parent: group })
  await given.assignment(group, configuration)

  const listed = await reader.call(listVariableConfigurationGroups, { params: { id: configuration.id } })

  const root = await given.root('ConfigurationGroups')
  expect(listed.body.items).toEqual([
    { id: group.id, name: group.name, assignedToTree: group.tree, parentId: root.id, description: 'Branch' },
  ])
})

test('reading an unknown variable configuration answers 404', async () => {
  const params = { id: 2_000_000_000 }

  const refused = [
    await reader.call(getVariableConfiguration, { params }),
    await reader.call(listVariableConfigurationGroups, { params }),
  ]

  for (const answer of refused)
    expect(answer).toMatchObject({
      status: 404,
      problem: 'VariableConfigurationNotFound',
      raw: { configId: 2_000_000_000 },
    })
})
