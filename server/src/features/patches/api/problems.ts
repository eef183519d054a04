import { problem } from '../../../platform/problem.ts'

export const patchImportNotFound = problem(
  'ImportNotFound',
  404,
  'No patch catalog import has this tracking id. Finished imports are kept for 30 days.',
)

export const patchHasNoFiles = problem(
  'PatchHasNoFiles',
  409,
  'No catalog and no advisory names files of this patch, so there is nothing to download.',
)

export const downloadNotAllowed = problem(
  'DownloadNotAllowed',
  409,
  'The service may not download any file of this patch. The hosts are listed in MUSTER_PATCH_HOSTS.',
)
