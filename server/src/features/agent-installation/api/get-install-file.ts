import { tooManyDownloads } from '../../../platform/general-problems.ts'
import { fileContent, fileType, operation } from '../../../platform/operation.ts'
import { closed, sha256 as sha256Of } from '../../../platform/schema.ts'
import { packageFileMissing } from '../../packages/content/open-content.ts'
import { agentPlatforms, findAgentPackage } from '../agent-package.ts'
import { openAgentFile } from '../open-agent-file.ts'
import { installFileNotFound } from './problems.ts'

export const getInstallFile = operation({
  id: 'getInstallFile',
  route: 'GET /install/files/:sha256',
  summary: 'Download a file of the package of the agent',
  description:
    'Only the files that the install script and the command for Windows name. Supports ranges. The content of an address never changes.',
  role: 'no token',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: closed({ sha256: sha256Of('Hash of the file, as the script names it') }),
  returns: fileContent,
  answerType: fileType,
  execution: { kind: 'Download', by: 'installers' },
  problems: [installFileNotFound, packageFileMissing, tooManyDownloads],
  extension: true,
  async handle({ params: { sha256 }, db, services: { configuration } }) {
    for (const platform of agentPlatforms) {
      const agent = await findAgentPackage(db, configuration, platform)
      const found = agent?.files.find((file) => file.sha256 === sha256)
      if (agent && found) return { ...(await openAgentFile(configuration, agent, found)), isPublic: true }
    }
    throw installFileNotFound({ sha256 })
  },
})
