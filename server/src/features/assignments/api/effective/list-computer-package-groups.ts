import { type RawBuilder, sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { DeviceGroup } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { type AssignmentKind, reachedAssignments } from '../../effective-assignments.ts'
import { ComputerPackagePath } from './schemas.ts'

export const listComputerPackageGroups = operation({
  id: 'listComputerPackageGroups',
  route: 'GET /api/computer/:id/packages/:packageId/groups',
  summary: 'List the groups of a computer, and those above, that hold an assignment of a package',
  description:
    'Also through a software class; of an operating system, the assignment of one of its editions. A group is listed whether or not its assignment is the one that wins.',
  role: 'computer.read',
  params: ComputerPackagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(DeviceGroup)),
  problems: [computerNotFound, packageNotFound],
  async handle(call) {
    const { params, db } = call
    await requireComputer(db, params.id)
    const { kind } = await requirePackage(db, params.packageId)
    const groups = db.selectFrom('groups').select(['id as groupId', 'name', 'tree as assignedToTree', 'description'])
    const holding = db
      .selectFrom('groups')
      .select('id as groupId')
      .where(sql<boolean>`id in (${holders(params.id, params.packageId, kind)})`)
    // To plan this takes longer than to run it, so that it stands in the statement once.
    return pageOf(call, groups, { columns: ['groupId'] }, { query: holding, once: true })
  },
})

/** The groups within reach of the computer that hold the package itself, or an object that is or covers the package. */
function holders(computerId: number, packageId: string, kind: string): RawBuilder<unknown> {
  const objects: [AssignmentKind, RawBuilder<unknown>][] = [
    ['package', sql`select ${packageId}::uuid`],
    ['softwareClass', sql`select class_id from software_class_packages where package_id = ${packageId}`],
  ]
  if (kind === 'LanguagePack') objects.push(['languagePack', sql`select ${packageId}::uuid`])
  if (kind === 'AgentTemplate') objects.push(['agentTemplate', sql`select ${packageId}::uuid`])
  if (kind === 'OperatingSystem')
    objects.push(['osImageSku', sql`select id from os_image_skus where package_id = ${packageId}`])
  if (kind === 'PxeBootImage')
    objects.push(['pxeBootImage', sql`select id from pxe_boot_images where package_id = ${packageId}`])
  const computer = sql`select ${computerId}::integer as owner_id`
  const held = objects.map(
    ([assigned, ids]) => sql`
      select group_id from (${reachedAssignments(assigned, 'computer', computer)}) as reached
      where object_id in (${ids})`,
  )
  return sql.join(held, sql` union all `)
}
