import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { OsDeploymentReadiness } from '../../assignments/api/effective/schemas.ts'
import { effectiveAssignments } from '../../assignments/effective-assignments.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'

type Found = Omit<Static<typeof OsDeploymentReadiness>, 'ready' | 'missing'>

export const getOsDeploymentReadiness = operation({
  id: 'getOsDeploymentReadiness',
  route: 'GET /api/computer/:id/os-deployment-readiness',
  summary: 'Check whether an operating system can be installed on a computer',
  description:
    'The computer is ready if an OS image edition and a PXE boot image are effective for it. Otherwise, `missing` lists ' +
    'what to assign.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(OsDeploymentReadiness),
  problems: [computerNotFound],
  async handle({ params, db }) {
    const computer = sql<{ owner_id: number }>`select computers.id as owner_id`
    const { rows } = await sql<Found>`
      select sku.id as "skuId", sku.edition, effective_sku.group_id as "skuGroupId",
        boot.object_id as "pxeImageId", boot.group_id as "pxeGroupId"
      from computers
        left join lateral (${effectiveAssignments('osImageSku', 'computer', computer)}) as effective_sku on true
        left join os_image_skus sku on sku.id = effective_sku.object_id
        left join lateral (${effectiveAssignments('pxeBootImage', 'computer', computer)}) as boot on true
      where computers.id = ${params.id}`.execute(db)
    const [found] = rows
    if (!found) throw computerNotFound({ clientId: params.id })
    const missing = [
      ...(found.skuId === null ? (['OsImageSku'] as const) : []),
      ...(found.pxeImageId === null ? (['PxeBootImage'] as const) : []),
    ]
    return { ready: missing.length === 0, ...found, missing }
  },
})
