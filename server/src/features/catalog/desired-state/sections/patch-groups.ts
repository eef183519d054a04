import { sql } from 'kysely'
import type { DesiredState } from '../../api/desired-state/document-schemas.ts'
import { groupReference, ofGroup, requireDifferent } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'
import { type PatchIds, type PatchOfProduct, patchKey, patchLabel, patchReference } from './patches.ts'

type PatchGroup = NonNullable<DesiredState['patchGroups']>[number]
type Fields = { name: string; category: 'Patch' | 'ServicePack'; description: string | null }
type Member = { group: string } & PatchOfProduct
type Assignment = { patchGroup: string; group: string; test: boolean }

const reference = (name: string) => ({
  section: 'patchGroups' as const,
  key: name.toLowerCase(),
  name: `The patch management group ${name}`,
})

/** Finds the patch management groups of a document that is being written. */
function entriesOf({ patchGroups = [] }: DesiredState): (name: string) => PatchGroup {
  const entries = new Map(patchGroups.map((group) => [group.name, group]))
  return (name) => {
    const entry = entries.get(name)
    if (!entry) throw new Error(`The patch management group ${name} is not part of the document.`)
    return entry
  }
}

const patchGroupsSection: StateSection = {
  name: 'patchGroups',
  property: 'patchGroups',
  readRole: 'pm.read',
  async readCurrent(db) {
    const { rows } = await sql<Fields & { id: number; groups: string[] }>`
      select id, name, category, description,
        array(select own.path from pm_group_assignments assigned join groups own on own.id = assigned.group_id
          where assigned.pm_group_id = pm_groups.id) as groups
      from pm_groups order by lower(name)`.execute(db)
    return rows.map(({ id, groups, ...fields }) => ({ ...toGroup(fields), id, groups }))
  },
  readDocument: ({ patchGroups }) =>
    patchGroups &&
    requireDifferent(
      'patchGroups',
      patchGroups.map(({ name, category = 'Patch', description = null }) => toGroup({ name, category, description })),
    ),
  writeDocument(objects, document) {
    document.patchGroups = objects.map(({ fields }) => {
      const { name, category, description } = fields as Fields
      return { name, ...(category !== 'Patch' && { category }), ...(description !== null && { description }) }
    })
  },
  blockersOf: ({ action, fields }) =>
    action === 'change' && fields.some(({ field }) => field === 'category') ? ['its category cannot be changed'] : [],
  toRequests: (changes) =>
    changes.map(({ action, before, after }) => {
      const params = { id: before?.id }
      if (!after) return { operation: 'deletePmGroup', params }
      const { name, category, description } = after.fields as Fields
      return action === 'add'
        ? { operation: 'createPmGroup', body: { name, category, description } }
        : { operation: 'updatePmGroup', params, body: { name, description: description ?? '' } }
    }),
}

const toGroup = (fields: Fields): StateObject => ({ key: fields.name.toLowerCase(), name: fields.name, fields })

const patchGroupPatchesSection: StateSection = {
  name: 'patchGroupPatches',
  property: 'patchGroups',
  readRole: 'pm.read',
  async readCurrent(db) {
    const { rows } = await sql<Member & { groups: string[] }>`
      select pm_groups.name as group, patches.key as patch, product.name as product,
        array(select own.path from pm_group_assignments assigned join groups own on own.id = assigned.group_id
          where assigned.pm_group_id = pm_groups.id) as groups
      from pm_group_patches member join pm_groups on pm_groups.id = member.pm_group_id
        join patches on patches.id = member.patch_id join patch_products product on product.id = member.product_id
      order by lower(pm_groups.name), lower(patches.key), lower(product.name)`.execute(db)
    return rows.map(({ groups, ...member }) => ({ ...toMember(member), groups }))
  },
  readDocument: ({ patchGroups }) =>
    patchGroups &&
    requireDifferent(
      'patchGroups',
      patchGroups.flatMap(({ name, patches = [], assignments = [] }) =>
        patches.map((one) => ({ ...toMember({ group: name, ...one }), groups: assignments.map(({ group }) => group) })),
      ),
    ),
  writeDocument(objects, document) {
    const entryOf = entriesOf(document)
    for (const [name, members] of Map.groupBy(objects, ({ details }) => (details as Member).group))
      entryOf(name).patches = members.map(({ details }) => {
        const { patch, product } = details as Member
        return { patch, product }
      })
  },
  // One request adds patches for one product.
  together: ({ object }) => {
    const { group, product } = object.details as Member
    return ofGroup(group, product)
  },
  toRequests(changes, { idOf, find }) {
    const [first] = changes
    if (!first) return []
    const { group, ...one } = first.object.details as Member
    const id = idOf('patchGroups', group.toLowerCase())
    const idsOf = (patch: PatchOfProduct) => find('patches', patchKey(patch))?.details as PatchIds | undefined
    const { patchId, productId } = idsOf(one) ?? {}
    if (!first.after) return [{ operation: 'removePmGroupPatch', params: { id, patchId }, query: { productId } }]
    const patchIds = changes.map(({ object }) => idsOf(object.details as Member)?.patchId)
    return [{ operation: 'addPmGroupPatches', params: { id }, body: { patchIds, productId } }]
  },
}

const toMember = (member: Member): StateObject => ({
  key: ofGroup(member.group, patchKey(member)),
  name: `${member.group} ← ${patchLabel(member)}`,
  fields: {},
  needs: [reference(member.group), patchReference(member)],
  details: member,
})

const patchGroupAssignmentsSection: StateSection = {
  name: 'patchGroupAssignments',
  property: 'patchGroups',
  readRole: 'pm.read',
  async readCurrent(db) {
    const { rows } = await sql<Assignment>`
      select pm_groups.name as "patchGroup", own.path as group, assigned.is_test as test
      from pm_group_assignments assigned join pm_groups on pm_groups.id = assigned.pm_group_id
        join groups own on own.id = assigned.group_id
      where not assigned.is_emergency order by lower(pm_groups.name), lower(own.path)`.execute(db)
    return rows.map(toAssignment)
  },
  readDocument: ({ patchGroups }) =>
    patchGroups &&
    requireDifferent(
      'patchGroups',
      patchGroups.flatMap(({ name, assignments = [] }) =>
        assignments.map(({ group, test = false }) => toAssignment({ patchGroup: name, group, test })),
      ),
    ),
  writeDocument(objects, document) {
    const entryOf = entriesOf(document)
    for (const [name, assignments] of Map.groupBy(objects, ({ details }) => (details as Assignment).patchGroup))
      entryOf(name).assignments = assignments.map(({ details }) => {
        const { group, test } = details as Assignment
        return { group, ...(test && { test }) }
      })
  },
  toRequests: (changes, { idOf }) =>
    changes.map(({ object, after }) => {
      const { patchGroup, group, test } = object.details as Assignment
      const [id, treeId] = [idOf('patchGroups', patchGroup.toLowerCase()), idOf('groups', group.toLowerCase())]
      return after
        ? { operation: 'assignPmGroup', params: { id }, body: { treeId, isTestAssignment: test } }
        : { operation: 'removePmGroupAssignment', params: { id, treeId } }
    }),
}

const toAssignment = ({ patchGroup, group, test }: Assignment): StateObject => ({
  key: ofGroup(patchGroup, group),
  name: `${patchGroup} → ${group}`,
  fields: { test },
  groups: [group],
  needs: [reference(patchGroup), groupReference(group)],
  details: { patchGroup, group, test } satisfies Assignment,
})

/** Patch management groups, their patches, and the groups of computers to which they are assigned. */
export const patchGroupSections: readonly StateSection[] = [
  patchGroupsSection,
  patchGroupPatchesSection,
  patchGroupAssignmentsSection,
]
