import { sql } from 'kysely'
import { preparedStatement } from '../../../../database/prepared-statements.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import type { Static } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { isScanOfPreviousSystem, missingPatches } from '../../../patches/missing-patches.ts'
import { PatchStatus } from './schemas.ts'

export const getComputerPatchStatus = operation({
  id: 'getComputerPatchStatus',
  route: 'GET /api/computer/:id/patch-status',
  summary: 'Get the patch status of a computer',
  description:
    'Returns the date of the last patch scan and the number of patches that it found missing. All values are null until ' +
    'the first patch scan.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(PatchStatus),
  problems: [computerNotFound],
  async handle({ params: { id }, db }) {
    const [status] = await computerPatchStatus(db, id)
    if (!status) throw computerNotFound({ clientId: id })
    return status
  },
})

const computerPatchStatus = preparedStatement((db, id: number) =>
  sql<Static<typeof PatchStatus>>`
    select computers.id as "clientId", scan.scanned_at as "patchScanDate", scan.definition_at as "patchDefinitionDate",
      scan.definition_version as "definitionVersion", counted.security as "missingSecurityPatches",
      counted.other as "missingNonSecurityPatches", counted.service_packs as "missingServicePacks",
      counted.security > 0 as "hasSecurityRisks", scan.ignored_patches as "ignoredPatches",
      case when scan.computer_id is not null
        then ${isScanOfPreviousSystem('scan', 'computers')} end as "isOfPreviousSystem"
    from computers
      left join patch_scans scan on scan.computer_id = computers.id
      left join lateral (
        select count(*) filter (where patches.patch_type = 'SecurityPatch')::integer as security,
          count(*) filter (where patches.patch_type in ('SecurityTool', 'NonSecurityPatch'))::integer as other,
          count(*) filter (where patches.is_service_pack)::integer as service_packs
        from (${missingPatches}) as missing join patches on patches.id = missing.patch_id
        where missing.computer_id = scan.computer_id
      ) as counted on scan.computer_id is not null
    where computers.id = ${id}`.compile(db),
)
