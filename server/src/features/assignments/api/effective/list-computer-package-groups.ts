import { type RawBuilder, sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { DeviceGroup } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { type AssignmentKind, computerAsOwner, reachedAssignments } from '../../effective-assignments.ts'
import { ComputerPackagePath } from './schemas.ts'

export const listComputerPackageGroups = operation({
  id: 'listComputerPackageGroups',
  route: 'GET /api/computer/:id/packages/:packageId/groups',
  summary: 'List the groups that assign a package to a computer',
  description:
    'Lists the groups of the computer and their ancestors that have an assignment of the package: of the package ' +
    'itself, of a software class that contains it, or of one of its editions if it is an operating system. A group is ' +
    'listed whether or not its assignment is the one that takes effect.',
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
    const assigning = db
      .selectFrom('groups')
      .select('id as groupId')
      .where(sql<boolean>`id in (${assigningGroups(params.id, params.packageId, kind)})`)
    // Planning this condition takes longer than running it, so the statement contains it only once.
    return pageOf(call, groups, { columns: ['groupId'] }, { query: assigning, once: true })
  },
})

/** The groups within reach of the computer that assign the package, or an object that is or contains the package. */
function assigningGroups(computerId: number, packageId: string, kind: string): RawBuilder<{ group_id: string }> {
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
  const groups = objects.map(
    ([assigned, ids]) => sql`
      select group_id from (${reachedAssignments(assigned, 'computer', computerAsOwner(computerId))}) as reached
      where object_id in (${ids})`,
  )
  return sql.join<{ group_id: string }>(groups, sql` union all `)
}
