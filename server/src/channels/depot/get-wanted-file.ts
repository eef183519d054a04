import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { openContent, packageFileMissing } from '../../features/packages/content/open-content.ts'
import { fileContent, fileType, operation } from '../../platform/operation.ts'
import { closed, sha256 as sha256Of, Uuid } from '../../platform/schema.ts'
import { packageNotWanted } from './problems.ts'

export const getWantedFile = operation({
  id: 'getWantedFile',
  route: 'GET /depot/v1/packages/:id/files/:sha256',
  summary: 'Download a file of a package',
  description: 'Only files of the packages that listWantedPackages returns. Supports ranges.',
  role: 'machine',
  params: closed({
    id: { ...Uuid, description: 'Id of the package' },
    sha256: sha256Of('Hash of the file, as listWantedFiles returns it'),
  }),
  returns: fileContent,
  answerType: fileType,
  problems: [packageNotWanted, packageFileMissing],
  async handle({ params: { id, sha256 }, db, machine, services }) {
    const found = await db
      .selectFrom('packages')
      .innerJoin('package_files', 'package_files.package_id', 'packages.id')
      .select(['packages.folder', 'package_files.path', 'package_files.size'])
      .where('packages.id', '=', id)
      .where('package_files.sha256', '=', Buffer.from(sha256, 'hex'))
      .where(isWantedByDepot(machine.clientId))
      .executeTakeFirst()
    if (!found?.folder) throw packageNotWanted({ packageId: id, sha256 })
    const { folder, path } = found
    const size = Number(found.size)
    const file = await openContent(services.configuration.packageStore, { folder, path, size, sha256 })
    if (!file) throw packageFileMissing({ packageId: id, sha256 })
    return { file, size, etag: `"${sha256}"` }
  },
})
