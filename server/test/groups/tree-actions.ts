import fc from 'fast-check'
import { violatedConstraint } from '../../src/database/errors.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import type { World } from '../world/open-world.ts'
import type { ModelGroup, TreeModel } from './tree-model.ts'

export type Stage = { world: World; model: TreeModel; computers: number[] }

/** The answer of the service beside the one that the model expects, and the id of a group that the action concerns. */
export type Outcome = { actual: unknown; expected: unknown; groupId: string }

/** A number that picks one of the groups that exist when the action runs. */
const place = fc.nat({ max: 1000 })
const name = fc.constantFrom('a', 'b', 'C', 'c', 'd')
const some = fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 6 })

export const anyAction = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), at: place, name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create special' as const), at: place, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), at: place, name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), at: place, to: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), at: place, force: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), at: place, computers: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: place, computers: some }) },
)

type Action = typeof anyAction extends fc.Arbitrary<infer A> ? A : never
type ActionOf<Name extends Action['do']> = Extract<Action, { do: Name }>

export function perform(stage: Stage, action: Action): Promise<Outcome> {
  const group = pick(stage.model, action.at)
  switch (action.do) {
    case 'create':
      return create(stage, group, action)
    case 'create special':
      return createSpecial(stage, group, action)
    case 'rename':
      return rename(stage, group, action)
    case 'move':
      return move(stage, group, pick(stage.model, action.to))
    case 'delete':
      return remove(stage, group, action)
    case 'add':
      return addMembers(stage, group, action)
    case 'remove':
      return removeMembers(stage, group, action)
  }
}

function pick({ groups }: TreeModel, place: number): ModelGroup {
  const all = [...groups.values()]
  const group = all[place % all.length]
  if (!group) throw new Error('The model has no groups, not even a root.')
  return group
}

async function create({ world, model }: Stage, parent: ModelGroup, { name }: ActionOf<'create'>): Promise<Outcome> {
  const type = parent.tree as 'ConfigurationGroups' | 'AssignmentGroups'
  const created = await world.as('group.write').call(createGroup, { body: { name, type, parentId: parent.id } })
  const duplicate = model.hasSibling(name, parent.id) ? 'DuplicateName' : 201
  if (created.status === 201)
    model.put({ id: created.body.id, name, parentId: parent.id, tree: parent.tree, isSpecial: false })
  return {
    actual: created.problem ?? created.status,
    expected: parent.isSpecial ? 'ParentSpecialGroup' : duplicate,
    groupId: parent.id,
  }
}

async function createSpecial({ world, model }: Stage, parent: ModelGroup, { name }: ActionOf<'create special'>) {
  if (!model.hasSibling(name, parent.id)) {
    const { id } = await world.given.group({ parent, name, kind: 'Reinstall' })
    model.put({ id, name, parentId: parent.id, tree: parent.tree, isSpecial: true })
  }
  return { actual: 'created', expected: 'created', groupId: parent.id }
}

async function rename({ world, model }: Stage, group: ModelGroup, { name }: ActionOf<'rename'>): Promise<Outcome> {
  const renamed = await world.as('group.write').call(updateGroup, { params: { id: group.id }, body: { name } })
  const duplicate = model.hasSibling(name, group.parentId, group.id) ? 'DuplicateName' : 200
  const special = group.isSpecial ? 'SpecialGroup' : duplicate
  const expected = group.parentId === null ? 'SystemGroup' : special
  if (expected === 200) model.put({ ...group, name })
  return { actual: renamed.problem ?? renamed.status, expected, groupId: group.id }
}

/** The API cannot move groups. The database supports it for operators. */
async function move({ world, model }: Stage, group: ModelGroup, to: ModelGroup): Promise<Outcome> {
  const actual = await world.db
    .updateTable('groups')
    .set({ parent_id: to.id })
    .where('id', '=', group.id)
    .execute()
    .then(
      () => 'moved',
      (error: unknown) => (violatedConstraint(error) ? 'refused' : String(error)),
    )
  const refused =
    group.parentId === null ||
    group.tree !== to.tree ||
    model.lineOf(to.id).some(({ id }) => id === group.id) ||
    model.hasSibling(group.name, to.id, group.id)
  if (!refused) model.put({ ...group, parentId: to.id })
  return { actual, expected: refused ? 'refused' : 'moved', groupId: to.id }
}

async function remove({ world, model }: Stage, group: ModelGroup, { force }: ActionOf<'delete'>): Promise<Outcome> {
  const deleted = await world.as('group.write').call(deleteGroup, { params: { id: group.id }, query: { force } })
  const empty = force || model.computersBelow(group.id).length === 0 ? 204 : 'NotEmpty'
  const special = group.isSpecial ? 'SpecialGroup' : empty
  const expected = group.parentId === null ? 'SystemGroup' : special
  if (expected === 204) model.remove(group.id)
  return { actual: deleted.problem ?? deleted.status, expected, groupId: group.parentId ?? group.id }
}

async function addMembers({ world, model, computers }: Stage, group: ModelGroup, action: ActionOf<'add'>) {
  const ids = action.computers.flatMap((n) => computers[n] ?? [])
  const added = await world
    .as('group.write')
    .call(addGroupComputers, { params: { id: group.id }, body: { computerIds: ids } })
  const expected = ids.map((id) => {
    if (group.isSpecial) return `${id} SpecialGroup`
    if (model.computersOf(group).has(id)) return `${id} AlreadyMember`
    if (group.tree === 'ConfigurationGroups' && model.configurationGroupOf(id))
      return `${id} AlreadyInConfigurationGroup`
    model.computersOf(group).add(id)
    return `${id} Added`
  })
  return { actual: statuses(added.body.results), expected, groupId: group.id }
}

async function removeMembers({ world, model, computers }: Stage, group: ModelGroup, action: ActionOf<'remove'>) {
  const ids = action.computers.flatMap((n) => computers[n] ?? [])
  const removed = await world
    .as('group.write')
    .call(removeGroupComputers, { params: { id: group.id }, query: { computerIds: ids } })
  const expected = ids.map((id) => `${id} ${model.computersOf(group).delete(id) ? 'Removed' : 'NotMember'}`)
  return { actual: statuses(removed.body.results), expected, groupId: group.id }
}

function statuses(results: { clientId: number; status: string }[]): string[] {
  return results.map(({ clientId, status }) => `${clientId} ${status}`)
}
