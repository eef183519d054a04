import { sql } from 'kysely'
import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { openContent, openStoredContent, packageFileMissing } from '../../features/packages/content/open-content.ts'
import { tooManyDownloads } from '../../platform/general-problems.ts'
import { fileContent, fileType, operation } from '../../platform/operation.ts'
import { closed, sha256 as sha256Of, Uuid } from '../../platform/schema.ts'
import { patchFileSize } from './patch-files.ts'
import { packageNotWanted } from './problems.ts'

export const getWantedFile = operation({
  id: 'getWantedFile',
  route: 'GET /depot/v1/packages/:id/files/:sha256',
  summary: 'Download a file of a package',
  description:
    'Only files of the packages that listWantedPackages returns. Supports ranges. Waits for its turn if many files are being downloaded.',
  role: 'machine',
  params: closed({
    id: { ...Uuid, description: 'Id of the package' },
    sha256: sha256Of('Hash of the file, as listWantedFiles returns it'),
  }),
  returns: fileContent,
  answerType: fileType,
  execution: { kind: 'Download', by: 'depots' },
  problems: [packageNotWanted, packageFileMissing, tooManyDownloads],
  async handle({ params: { id, sha256 }, db, machine, services }) {
    const { packageStore } = services.configuration
    const wanted = db.selectFrom('packages').where('packages.id', '=', id).where(isWantedByDepot(machine.clientId))
    const packageFile = await wanted
      .innerJoin('package_files', 'package_files.package_id', 'packages.id')
      .select(['packages.folder', 'package_files.path', sql<number>`package_files.size`.as('size')])
      .where('package_files.sha256', '=', Buffer.from(sha256, 'hex'))
      .where('packages.folder', 'is not', null)
      .$narrowType<{ folder: string }>()
      .executeTakeFirst()
    const patchFile = packageFile ? undefined : await wanted.select(patchFileSize(sha256).as('size')).executeTakeFirst()
    const size = packageFile?.size ?? patchFile?.size
    if (size == null) throw packageNotWanted({ packageId: id, sha256 })
    const file = packageFile
      ? await openContent(packageStore, { ...packageFile, sha256 })
      : await openStoredContent(packageStore, { size, sha256 })
    if (!file) throw packageFileMissing({ packageId: id, sha256 })
    return { file, size, etag: `"${sha256}"` }
  },
})
