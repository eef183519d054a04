import { renewLease } from '../../features/deployments/lease.ts'
import { fileNotHanded } from '../../features/deployments/problems.ts'
import { openPackageFile } from '../../features/packages/open-package-file.ts'
import { fileContent, fileType, operation } from '../../platform/operation.ts'
import { closed } from '../../platform/schema.ts'
import { fileMissing } from './problems.ts'
import { Sha256, WorkPath } from './schemas.ts'

export const getWorkFile = operation({
  id: 'getWorkFile',
  route: 'GET /agent/v1/work/:workId/files/:sha256',
  summary: 'Get the content of a file of the package that the agent has work with',
  role: 'machine',
  params: closed({ ...WorkPath.properties, sha256: Sha256 }),
  returns: fileContent,
  answerType: fileType,
  problems: [fileNotHanded, fileMissing],
  async handle({ params: { workId, sha256 }, db, machine: { clientId }, services }) {
    const found = await db
      .selectFrom('work')
      .innerJoin('packages', 'packages.id', 'work.package_id')
      .innerJoin('package_files', 'package_files.package_id', 'packages.id')
      .select(['packages.folder', 'package_files.path', 'package_files.size'])
      .where('work.id', '=', workId)
      .where('work.computer_id', '=', clientId)
      .where('work.state', '=', 'Leased')
      .where('package_files.sha256', '=', Buffer.from(sha256, 'hex'))
      .executeTakeFirst()
    if (!found?.folder) throw fileNotHanded({ workId, sha256 })
    await renewLease(db, clientId, workId)
    const size = Number(found.size)
    const file = await openPackageFile(services.configuration.packageStore, found.folder, found.path)
    if (!file) throw fileMissing({ workId, sha256 })
    if ((await file.stat()).size !== size) {
      await file.close()
      throw fileMissing({ workId, sha256 })
    }
    return { file, size, etag: `"${sha256}"` }
  },
})
