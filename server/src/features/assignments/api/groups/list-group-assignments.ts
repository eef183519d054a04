import { type RawBuilder, sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, type Static, Type } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { type AssignmentKind, effectiveAssignments, groupAsOwner } from '../../effective-assignments.ts'
import { assignmentTypes, GroupAssignmentSummaryItem, includeInherited } from './schemas.ts'

type Item = Static<typeof GroupAssignmentSummaryItem>

export const listGroupAssignments = operation({
  id: 'listGroupAssignments',
  route: 'GET /api/group/:id/all-assignments',
  summary: 'List everything that is assigned to a group, and its computers',
  description: 'Sorted by type, then by id. Software classes are not included.',
  role: 'group.read',
  params: GroupPath,
  query: closed({
    includeInherited: includeInherited(
      'Also list what the group inherits from its ancestors. Each object is listed once; of agent templates, SKUs and ' +
        'PXE boot images, only the effective one. Computers are always the direct members of the group.',
    ),
  }),
  returns: ok(Type.Array(GroupAssignmentSummaryItem)),
  problems: [groupNotFound],
  async handle({ params, query, db }) {
    await requireGroup(db, params.id)
    const items = assignmentTypes.map(
      (type, rank) => sql`
        select ${type}::text as type, ${rank}::integer as rank, item.* from (${itemQueries[type](params.id)}) as item`,
    )
    const { rows } = await sql<Item>`
      select type, id, "intId", "packageId", "skuId", name from (${sql.join(items, sql` union all `)}) as listed
      where distance = 0 or ${query.includeInherited === true}
      order by rank, id, "intId", "skuId"`.execute(db)
    return rows
  },
})

type ItemRow = Omit<Item, 'type'> & { distance: number }

type ItemQuery = (groupId: string) => RawBuilder<ItemRow>

const itemQueries: Record<Item['type'], ItemQuery> = {
  Package: packagesAssignedAs('package'),
  AgentTemplate: packagesAssignedAs('agentTemplate'),
  LanguagePackImport: packagesAssignedAs('languagePack'),
  VariableConfiguration: (groupId) => sql`
    select null::uuid as id, configuration.id as "intId", null::uuid as "packageId", null::integer as "skuId",
      configuration.name, distance
    from ${effective('variableConfiguration', groupId)}
      join variable_configurations configuration on configuration.id = object_id`,
  OsImageSku: (groupId) => sql`
    select null::uuid as id, null::integer as "intId", package_id as "packageId", sku.id as "skuId",
      packages.name || ' ' || edition as name, distance
    from ${effective('osImageSku', groupId)}
      join os_image_skus sku on sku.id = object_id join packages on packages.id = package_id`,
  PxeBootImage: (groupId) => sql`
    select null::uuid as id, image.id as "intId", null::uuid as "packageId", null::integer as "skuId", name, distance
    from ${effective('pxeBootImage', groupId)}
      join pxe_boot_images image on image.id = object_id join packages on packages.id = package_id`,
  Computer: (groupId) => sql`
    select null::uuid as id, computers.id as "intId", null::uuid as "packageId", null::integer as "skuId", name,
      0 as distance
    from group_computers join computers on computers.id = computer_id where group_id = ${groupId}`,
}

function packagesAssignedAs(kind: AssignmentKind): ItemQuery {
  return (groupId) => sql`
    select packages.id, null::integer as "intId", null::uuid as "packageId", null::integer as "skuId", name, distance
    from ${effective(kind, groupId)} join packages on packages.id = object_id`
}

/** A `from` item that provides `object_id` and `distance`. */
function effective(kind: AssignmentKind, groupId: string): RawBuilder<unknown> {
  return sql`(${effectiveAssignments(kind, 'group', groupAsOwner(groupId))}) as effective`
}
