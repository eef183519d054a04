import pg from 'pg'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { getVariableConfiguration } from '../../src/features/variables/api/configurations/get-variable-configuration.ts'
import { listVariableDefinitionComputers } from '../../src/features/variables/api/definitions/list-variable-definition-computers.ts'
import { listVariableDefinitionGroups } from '../../src/features/variables/api/definitions/list-variable-definition-groups.ts'
import { openWorld } from '../world/open-world.ts'
import { ownersIn } from './owners.ts'

const world = await openWorld()
const { as, db, given } = world
const owners = await ownersIn(world)
const reader = as('package.read')

let statements: MockInstance

beforeEach(() => {
  statements = vi.spyOn(pg.Client.prototype, 'query')
})

afterEach(() => {
  statements.mockRestore()
})

/** How many statements the request takes, with those that open and close its transaction. */
async function cost(request: () => Promise<{ status: number }>): Promise<number> {
  statements.mockClear()
  expect((await request()).status).toBeLessThan(300)
  return statements.mock.calls.length
}

/** A computer and a group with as many variables, groups above, configurations and collection children as asked. */
async function makeWorld(size: number) {
  const computer = await given.computer()
  let group = await given.group()
  const variables = []
  const collection = await given.variable({ kind: 'Collection' })
  const values: Record<string, string> = {}
  for (let n = 0; n < size; n++) {
    group = await given.group({ parent: group })
    const variable = await given.variable()
    variables.push(variable)
    const configuration = await given.variableConfiguration(variables.map((one) => ({ variable: one, value: 'c' })))
    await db
      .insertInto('group_variable_configurations')
      .values({ group_id: group.id, configuration_id: configuration.id })
      .execute()
    await db
      .insertInto('group_variables')
      .values({ group_id: group.id, variable_id: variable.id, value: 'g' })
      .execute()
    const { designation } = await given.variable({ parent: collection })
    values[designation] = 'v'
  }
  await given.member(group, computer)
  return { ids: { computer: computer.id, group: group.id }, variables, collection, values }
}

async function costs(size: number): Promise<number[]> {
  const { ids, variables, collection, values } = await makeWorld(size)
  const varId = variables[0]?.id ?? 0
  const configuration = await given.variableConfiguration(variables.map((variable) => ({ variable, value: 'v' })))
  const measured: number[] = []
  for (const { kind, list, search, set, entries, addEntry, changeEntry, removeEntry } of owners) {
    const id = ids[kind as keyof typeof ids]
    measured.push(await cost(() => set(id, varId, { value: 'own' })), await cost(() => set(id, varId, {})))
    measured.push(await cost(() => list(id)), await cost(() => search(id, { includeInherited: true })))
    measured.push(await cost(() => search(id, { varId })), await cost(() => addEntry(id, collection.id, values)))
    for (let n = 1; n < size; n++) await addEntry(id, collection.id, values)
    const listed = await entries(id, collection.id)
    const collectionId = listed.body.items[0]?.collectionId ?? 0
    measured.push(await cost(() => entries(id, collection.id)))
    measured.push(await cost(() => changeEntry(id, collection.id, collectionId, values)))
    measured.push(await cost(() => removeEntry(id, collection.id, collectionId)))
  }
  const params = { varId: collection.id }
  measured.push(await cost(() => reader.call(listVariableDefinitionComputers, { params })))
  measured.push(await cost(() => reader.call(listVariableDefinitionGroups, { params })))
  measured.push(await cost(() => reader.call(getVariableConfiguration, { params: { id: configuration.id } })))
  return measured
}

test('the statements of a request do not grow with variables, groups, configurations, children or entries', async () => {
  await costs(1)

  const small = await costs(2)
  const large = await costs(12)

  expect(large).toEqual(small)
  expect(Math.min(...large)).toBeGreaterThanOrEqual(2)
  expect(Math.max(...large)).toBeLessThanOrEqual(10)
})
