import { openContent, packageFileMissing } from '../../../features/packages/content/open-content.ts'
import { iconNotFound } from '../../../features/self-service/problems.ts'
import { findIcon } from '../../../features/self-service/software-of-computer.ts'
import { tooManyDownloads } from '../../../platform/general-problems.ts'
import { fileContent, fileType, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'

export const getSoftwareIcon = operation({
  id: 'getSoftwareIcon',
  route: 'GET /agent/v1/software/:packageId/icon',
  summary: 'Download the icon of a package',
  description: 'A PNG image. Only of packages that the user of the computer can see.',
  role: 'machine',
  params: closed({ packageId: { ...Uuid, description: 'Id of the package' } }),
  returns: fileContent,
  answerType: fileType,
  execution: { kind: 'Download', by: 'agents' },
  problems: [iconNotFound, packageFileMissing, tooManyDownloads],
  async handle({ params: { packageId }, db, machine: { clientId }, services }) {
    const icon = await findIcon(db, clientId, packageId)
    if (!icon) throw iconNotFound({ packageId })
    const file = await openContent(services.configuration.packageStore, icon)
    if (!file) throw packageFileMissing({ packageId, sha256: icon.sha256 })
    return { file, size: icon.size, etag: `"${icon.sha256}"` }
  },
})
