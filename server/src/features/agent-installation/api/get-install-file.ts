import { tooManyDownloads } from '../../../platform/general-problems.ts'
import { fileContent, fileType, operation } from '../../../platform/operation.ts'
import { closed, sha256 as sha256Of } from '../../../platform/schema.ts'
import { openContent, packageFileMissing } from '../../packages/content/open-content.ts'
import { findAgentPackage } from '../agent-package.ts'
import { installFileNotFound } from './problems.ts'

export const getInstallFile = operation({
  id: 'getInstallFile',
  route: 'GET /install/files/:sha256',
  summary: 'Download a file of the package of the agent',
  description:
    'Only the files that the install script names. Supports ranges. The content of an address never changes.',
  role: 'no token',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: closed({ sha256: sha256Of('Hash of the file, as the script names it') }),
  returns: fileContent,
  answerType: fileType,
  downloadedBy: 'agents',
  problems: [installFileNotFound, packageFileMissing, tooManyDownloads],
  extension: true,
  async handle({ params: { sha256 }, db, services: { configuration } }) {
    const agent = await findAgentPackage(db, configuration)
    const found = agent?.files.find((file) => file.sha256 === sha256)
    if (!agent || !found) throw installFileNotFound({ sha256 })
    const file = await openContent(configuration.packageStore, { ...found, folder: agent.folder })
    if (!file) throw packageFileMissing({ sha256 })
    return { file, size: found.size, etag: `"${sha256}"`, isPublic: true }
  },
})
