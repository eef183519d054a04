import { ok, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'
import { notYourUpload, uploadInUse, uploadNotFound, uploadNotReady } from '../problems.ts'
import { proposalProblems, proposePackage } from '../propose-package.ts'
import { uploadPathOf } from '../upload-files.ts'
import { getOwnUpload } from '../upload-rows.ts'
import { PackageProposal } from './proposal-schemas.ts'

export const getPackageUploadProposal = operation({
  id: 'getPackageUploadProposal',
  route: 'GET /api/package-uploads/:id/proposal',
  summary: 'Read an uploaded installer, and propose the package of it',
  description:
    'Reads MSI, EXE, MSIX, deb, rpm, AppImage, archives and scripts. The file is never run. Each line of the proposed manifest has ' +
    'a confidence and a reason; correct what is wrong and make the package with `fileName` and `manifest`. The file is read each ' +
    'time, one at a time in each process: it takes about half a second, and up to a minute if others wait.',
  role: 'package.write',
  params: closed({ id: Uuid }),
  returns: ok(PackageProposal),
  problems: [uploadNotFound, notYourUpload, uploadNotReady, uploadInUse, ...proposalProblems],
  extension: true,
  async handle({ params: { id }, db, caller: { principal }, services: { configuration } }) {
    const { fileName, state } = await getOwnUpload(db, id, principal)
    if (state === 'Importing') throw uploadInUse({ uploadId: id })
    if (state !== 'Ready') throw uploadNotReady({ uploadId: id })
    const { lines, ...proposal } = await proposePackage(uploadPathOf(configuration.packageStore, id), fileName)
    return { ...proposal, lines: lines.map(({ isImplied = false, ...line }) => ({ ...line, isImplied })) }
  },
})
