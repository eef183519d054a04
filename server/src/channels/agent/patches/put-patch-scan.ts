import { patchQuotas } from '../../../features/patch-management/patch-quotas.ts'
import { scannedPatchPurged, storePatchScan } from '../../../features/patch-management/store-scan.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { patchScanOfDeletedComputer } from '../problems.ts'
import { PatchScanReceipt, PatchScanReport } from './schemas.ts'

const quotaExceeded =
  `${patchQuotas.perComputer} patches that no catalog names are the limit of a computer, and ${patchQuotas.perFleet} that ` +
  'of all computers. Patches beyond it were ignored; all others were stored.'

export const putPatchScan = operation({
  id: 'putPatchScan',
  route: 'PUT /agent/v1/patch-scan',
  summary: 'Report the result of a patch scan',
  description:
    'Replaces the result of the previous scan. When missing patches are released to the computer, its fix package becomes due and the next contact hands it out. Patches that no catalog and no other computer knows are stored up to a quota per computer and one for all computers; the answer says how many were ignored.',
  role: 'machine',
  body: PatchScanReport,
  returns: ok(PatchScanReceipt),
  problems: [patchScanOfDeletedComputer, scannedPatchPurged],
  async handle({ body, db, machine, request }) {
    const ignoredPatches = await storePatchScan(db, machine.clientId, {
      scannedAt: body.scannedUtc,
      definitionAt: body.definitionUtc ?? null,
      definitionVersion: body.definitionVersion ?? null,
      rollbacks: body.rollbacks,
      patches: body.patches.map(({ installedUtc, ...patch }) => ({ ...patch, installedAt: installedUtc ?? null })),
    })
    if (ignoredPatches === 0) return { ignoredPatches, message: null }
    request.log.warn(
      { computer: machine.clientId, ignoredPatches },
      'Patches of a scan were ignored: too many that no catalog names.',
    )
    return { ignoredPatches, message: quotaExceeded }
  },
})
