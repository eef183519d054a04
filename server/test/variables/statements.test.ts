import { expect, test } from 'vitest'
import { getVariableConfiguration } from '../../src/features/variables/api/configurations/get-variable-configuration.ts'
import { listVariableDefinitionComputers } from '../../src/features/variables/api/definitions/list-variable-definition-computers.ts'
import { listVariableDefinitionGroups } from '../../src/features/variables/api/definitions/list-variable-definition-groups.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { countStatements } from '../world/statements.ts'
import { ownersIn } from './owners.ts'

const world = await openWorld()
const { as, given } = world
const owners = await ownersIn(world)
const reader = as('package.read')

/** The number of statements of the request, including those that open and close its transaction. */
const countOf = (request: () => Promise<{ status: number }>) =>
  countStatements(async () => expect((await request()).status).toBeLessThan(300))

/** A computer in a group, with the given number of variables, groups above, configurations and collection children. */
async function givenFleet(size: number) {
  const computer = await given.computer()
  let group = await given.group()
  const variables = []
  const collection = await given.variable({ kind: 'Collection' })
  const values: Record<string, string> = {}
  for (let n = 0; n < size; n++) {
    group = await given.group({ parent: group })
    const variable = await given.variable()
    variables.push(variable)
    const configuration = await given.variableConfiguration(
      variables.map((assigned) => ({ variable: assigned, value: 'c' })),
    )
    await given.assignment(group, configuration)
    await as('group.write').call(setGroupVariable, {
      params: { id: group.id, varId: variable.id },
      body: { value: 'g' },
    })
    const { designation } = await given.variable({ parent: collection })
    values[designation] = 'v'
  }
  await given.member(group, computer)
  return { ids: { computer: computer.id, group: group.id }, variables, collection, values }
}

async function countAll(size: number): Promise<number[]> {
  const { ids, variables, collection, values } = await givenFleet(size)
  const varId = variables[0]?.id ?? 0
  const configuration = await given.variableConfiguration(variables.map((variable) => ({ variable, value: 'v' })))
  const measured: number[] = []
  for (const { kind, list, search, set, entries, addEntry, changeEntry, removeEntry } of owners) {
    const id = ids[kind as keyof typeof ids]
    measured.push(await countOf(() => set(id, varId, { value: 'own' })), await countOf(() => set(id, varId, {})))
    measured.push(await countOf(() => list(id)), await countOf(() => search(id, { includeInherited: true })))
    measured.push(await countOf(() => search(id, { varId })), await countOf(() => addEntry(id, collection.id, values)))
    for (let n = 1; n < size; n++) await addEntry(id, collection.id, values)
    const listed = await entries(id, collection.id)
    const collectionId = listed.body.items[0]?.collectionId ?? 0
    measured.push(await countOf(() => entries(id, collection.id)))
    measured.push(await countOf(() => changeEntry(id, collection.id, collectionId, values)))
    measured.push(await countOf(() => removeEntry(id, collection.id, collectionId)))
  }
  const params = { varId: collection.id }
  measured.push(await countOf(() => reader.call(listVariableDefinitionComputers, { params })))
  measured.push(await countOf(() => reader.call(listVariableDefinitionGroups, { params })))
  measured.push(await countOf(() => reader.call(getVariableConfiguration, { params: { id: configuration.id } })))
  return measured
}

test('the number of statements per request does not grow with variables, groups, configurations, children or entries', async () => {
  await countAll(1)

  const small = await countAll(2)
  const large = await countAll(12)

  expect(large).toEqual(small)
  expect(Math.min(...large)).toBeGreaterThanOrEqual(2)
  expect(Math.max(...large)).toBeLessThanOrEqual(10)
})
