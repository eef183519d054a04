import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { openPackageFile } from '../../features/packages/open-package-file.ts'
import { fileContent, fileType, operation } from '../../platform/operation.ts'
import { closed, Uuid } from '../../platform/schema.ts'
import { fileMissing, packageNotWanted } from './problems.ts'
import { Sha256 } from './schemas.ts'

export const getWantedFile = operation({
  id: 'getWantedFile',
  route: 'GET /depot/v1/packages/:id/files/:sha256',
  summary: 'Get the content of a file of a package that the depot is to hold',
  role: 'machine',
  params: closed({ id: Uuid, sha256: Sha256 }),
  returns: fileContent,
  answerType: fileType,
  problems: [packageNotWanted, fileMissing],
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
    const size = Number(found.size)
    const file = await openPackageFile(services.configuration.packageStore, found.folder, found.path)
    if (!file) throw fileMissing({ packageId: id, sha256 })
    if ((await file.stat()).size !== size) {
      await file.close()
      throw fileMissing({ packageId: id, sha256 })
    }
    return { file, size, etag: `"${sha256}"` }
  },
})
