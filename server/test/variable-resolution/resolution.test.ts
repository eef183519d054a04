import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownersIn } from '../variables/owners.ts'
import { plans, storePlan, type Variables } from '../variables/variable-world.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'
import { type Found, resolve } from './variable-model.ts'

const opened = await openWorld()
const [computerCalls, groupCalls] = await ownersIn(opened)

type Owner = { computer: number } | { group: string }
type Variable = Variables['variables'][number]

const all = { top: 1000 }
const calls = (owner: Owner) => ('computer' in owner ? computerCalls : groupCalls)
const idOf = (owner: Owner) => ('computer' in owner ? owner.computer : owner.group)

function owners({ computers, groups }: Variables): Owner[] {
  return [...computers.map((computer) => ({ computer })), ...groups.map(({ id }) => ({ group: id }))]
}

function valueItem(variable: Variable, owner: Owner, { value, schedule, source }: Found) {
  return {
    varId: variable.id,
    designation: variable.designation,
    dottedName: variable.dottedName,
    value: variable.isSecret ? null : value,
    schedule,
    isSecret: variable.isSecret,
    ...('group' in owner && { forced: source === 'forced' }),
  }
}

function foundItem({ groups }: Variables, variable: Variable, owner: Owner, found: Found) {
  const { source, sourceGroupId } = found
  const sourceGroupPath = groups.find(({ id }) => id === sourceGroupId)?.path ?? null
  return { ...valueItem(variable, owner, found), source, sourceGroupId, sourceGroupPath }
}

/** The value set on the owner itself. */
function ownValue(world: Variables, owner: Owner, { id }: Variable): Found | undefined {
  if ('computer' in owner) {
    const own = world.computerValues.find(({ computer, varId }) => computer === owner.computer && varId === id)
    return own && { value: own.value, schedule: own.schedule, source: 'computer', sourceGroupId: null }
  }
  const own = world.groupValues.find(({ group, varId }) => group === owner.group && varId === id)
  const source = own?.forced ? 'forced' : 'group'
  return own && { value: own.value, schedule: own.schedule, source, sourceGroupId: owner.group }
}

const unset: Found = { value: null, schedule: null, source: null, sourceGroupId: null }

async function checkInherited(world: Variables, owner: Owner): Promise<void> {
  const expected = world.variables.map((variable) =>
    foundItem(world, variable, owner, resolve(world, owner, variable.id)),
  )
  const search = async (filter: object) =>
    (await calls(owner)?.search(idOf(owner), { ...filter, includeInherited: true }, all))?.body.items

  expect(await search({})).toEqual(expected)
  for (const [index, variable] of world.variables.entries())
    expect(await search({ varId: variable.id })).toEqual([expected[index]])
  for (const name of ['HOST', 'one.Port', 'Two.Token'])
    expect(await search({ name })).toEqual(expected.filter(hasName(name)))
}

async function checkDirect(world: Variables, owner: Owner): Promise<void> {
  const set = world.variables.flatMap((variable) => {
    const own = ownValue(world, owner, variable)
    return own ? [{ variable, own }] : []
  })
  const search = async (filter: object) => (await calls(owner)?.search(idOf(owner), filter, all))?.body.items
  const named = world.variables.map((variable) =>
    foundItem(world, variable, owner, ownValue(world, owner, variable) ?? unset),
  )

  expect((await calls(owner)?.list(idOf(owner), all))?.body.items).toEqual(
    set.map(({ variable, own }) => valueItem(variable, owner, own)),
  )
  expect(await search({})).toEqual(set.map(({ variable, own }) => foundItem(world, variable, owner, own)))
  expect(await search({ name: 'host' })).toEqual(named.filter(hasName('host')))
}

async function checkCollection({ entries, collection }: Variables, owner: Owner): Promise<void> {
  const own = entries.filter(
    ({ computer, group }) => ('computer' in owner ? owner.computer : owner.group) === (computer ?? group),
  )
  const listed = await calls(owner)?.entries(idOf(owner), collection.id, all)

  expect(listed?.body.items.map(({ collectionId }) => collectionId)).toEqual(own.map(({ id }) => id))
  for (const [index, { values }] of own.entries())
    expect(listed?.body.items[index]?.values.map(({ varId, value }) => [varId, value])).toEqual(
      collection.children.map(({ id, isSecret }) => [id, isSecret ? null : (values.get(id) ?? null)]),
    )
}

const hasName =
  (name: string) =>
  ({ designation, dottedName }: { designation: string; dottedName: string }) =>
    [designation, dottedName].some((text) => text.toLowerCase() === name.toLowerCase())

test('every read of values follows the rules of inheritance, for any trees and values', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const world = await storePlan(opened.db, plan)

      await Promise.all(
        owners(world).flatMap((owner) => [
          checkInherited(world, owner),
          checkDirect(world, owner),
          checkCollection(world, owner),
        ]),
      )
    }),
    { numRuns: modelRuns(5) },
  )
}, 600_000)
