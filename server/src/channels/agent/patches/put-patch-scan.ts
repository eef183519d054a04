import { storePatchScan } from '../../../features/patch-management/store-scan.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { patchScanOfDeletedComputer } from './problems.ts'
import { PatchScanReport } from './schemas.ts'

export const putPatchScan = operation({
  id: 'putPatchScan',
  route: 'PUT /agent/v1/patch-scan',
  summary: 'Report the result of a patch scan',
  description:
    'Replaces the result of the previous scan. When missing patches are released to the computer, its fix package becomes due and the next contact hands it out.',
  role: 'machine',
  body: PatchScanReport,
  returns: noContent,
  problems: [patchScanOfDeletedComputer],
  async handle({ body, db, machine }) {
    await storePatchScan(db, machine.clientId, {
      scannedAt: body.scannedUtc,
      definitionAt: body.definitionUtc ?? null,
      definitionVersion: body.definitionVersion ?? null,
      patches: body.patches.map(({ installedUtc, ...patch }) => ({ ...patch, installedAt: installedUtc ?? null })),
    })
  },
})
