import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isFrozen } from '../../features/blast-radius/freeze.ts'
import { renewLease } from '../../features/deployments/lease.ts'
import { fileNotHanded } from '../../features/deployments/problems.ts'
import { openContent, openStoredContent, packageFileMissing } from '../../features/packages/content/open-content.ts'
import { findFileOfPatchWork } from '../../features/patches/files/stored-patch-files.ts'
import { isPreDownloaded } from '../../features/pre-downloads/pre-downloaded-work.ts'
import { tooManyDownloads } from '../../platform/general-problems.ts'
import { fileContent, fileType, operation } from '../../platform/operation.ts'
import { closed, sha256 as sha256Of } from '../../platform/schema.ts'
import { WorkPath } from './schemas.ts'

export const getWorkFile = operation({
  id: 'getWorkFile',
  route: 'GET /agent/v1/work/:workId/files/:sha256',
  summary: 'Download a file of a package',
  description:
    'Only files of the package and the patches of a work item that is leased to the agent, and of work whose content was announced in `upcoming`. Supports ranges and renews the lease. Waits for its turn if many files are being downloaded. Depots serve the same files; this address is the fallback.',
  role: 'machine',
  params: closed({ ...WorkPath.properties, sha256: sha256Of('Hash of the file, as startWork lists it') }),
  returns: fileContent,
  answerType: fileType,
  execution: { kind: 'Download', by: 'agents' },
  problems: [fileNotHanded, packageFileMissing, tooManyDownloads],
  async handle({ params: { workId, sha256 }, db, machine: { clientId }, services }) {
    const packageFile = await findPackageFile(db, clientId, workId, sha256)
    const size = packageFile?.size ?? (await findFileOfPatchWork(db, { clientId, workId, sha256 }))
    if (size === undefined) throw fileNotHanded({ workId, sha256 })
    await renewLease(db, clientId, workId)
    const { packageStore } = services.configuration
    const file = packageFile
      ? await openContent(packageStore, { ...packageFile, sha256 })
      : await openStoredContent(packageStore, { size, sha256 })
    if (!file) throw packageFileMissing({ workId, sha256 })
    return { file, size, etag: `"${sha256}"` }
  },
})

/** The agent has the work item, or downloads its content before the item is due. */
const mayDownload = sql<boolean>`(work.state = 'Leased' or (${isPreDownloaded('work', 'packages')} and not ${isFrozen}))`

async function findPackageFile(db: Database, clientId: number, workId: number, sha256: string) {
  return db
    .selectFrom('work')
    .innerJoin('packages', 'packages.id', 'work.package_id')
    .innerJoin('package_files', 'package_files.package_id', 'packages.id')
    .select(['packages.folder', 'package_files.path', sql<number>`package_files.size`.as('size')])
    .where('work.id', '=', workId)
    .where('work.computer_id', '=', clientId)
    .where(mayDownload)
    .where('package_files.sha256', '=', Buffer.from(sha256, 'hex'))
    .where('packages.folder', 'is not', null)
    .$narrowType<{ folder: string }>()
    .executeTakeFirst()
}
