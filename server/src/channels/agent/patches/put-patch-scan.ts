import { storePatchScan } from '../../../features/patch-management/store-scan.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { computerGone } from './problems.ts'
import { PatchScanReport } from './schemas.ts'

export const putPatchScan = operation({
  id: 'putPatchScan',
  route: 'PUT /agent/v1/patch-scan',
  summary: 'Send what a patch scan found',
  description:
    'It replaces what the scan before found. Missing patches that are released to the computer make its fix package due, which the next contact hands out.',
  role: 'machine',
  body: PatchScanReport,
  returns: noContent,
  problems: [computerGone],
  async handle({ body, db, machine }) {
    await storePatchScan(db, machine.clientId, {
      scannedAt: body.scannedUtc,
      definitionAt: body.definitionUtc ?? null,
      definitionVersion: body.definitionVersion ?? null,
      patches: body.patches.map(({ installedUtc, ...patch }) => ({ ...patch, installedAt: installedUtc ?? null })),
    })
  },
})
