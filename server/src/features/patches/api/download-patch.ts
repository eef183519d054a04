import { findAddressFault } from '../../../platform/downloads/allowed-address.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { patchDownloadRules } from '../files/patch-download-rules.ts'
import { patchFileRows } from '../files/patch-file-rows.ts'
import { requestDownloadsOfPatch } from '../files/request-downloads.ts'
import { requirePatch } from '../patch-rows.ts'
import { patchNotFound } from '../problems.ts'
import { downloadNotAllowed, patchHasNoFiles } from './problems.ts'
import { PatchDownloads, PatchPath } from './schemas.ts'

export const downloadPatch = operation({
  id: 'downloadPatch',
  route: 'POST /api/patches/:patchId/download',
  summary: 'Download the files of a patch into the package store',
  description:
    'Files of patches that are approved or in a patch management group are downloaded without this operation. Use it to ' +
    'download the files of another patch, or again after a failure. Background jobs of the queue `patch-download` do the ' +
    'work; listPatchFiles shows how far they are. Files that are stored or being downloaded are left alone.',
  role: 'pm.write',
  extension: true,
  params: PatchPath,
  returns: accepted(PatchDownloads),
  problems: [patchNotFound, patchHasNoFiles, downloadNotAllowed],
  async handle({ params: { patchId }, db, services: { configuration } }) {
    await requirePatch(db, patchId)
    const files = await patchFileRows(db).where('patch_files.patch_id', '=', patchId).execute()
    if (files.length === 0) throw patchHasNoFiles({ patchId })
    const missing = files.filter(({ status }) => status !== 'Stored')
    const faults = missing.map(({ url }) => findAddressFault(url, patchDownloadRules(configuration)))
    if (missing.length > 0 && !faults.includes(undefined))
      throw downloadNotAllowed({ patchId, reasons: [...new Set(faults)] })
    return { trackingIds: await requestDownloadsOfPatch(db, configuration, patchId) }
  },
})
