import { tooManyDownloads } from '../../../platform/general-problems.ts'
import { fileContent, fileType, operation } from '../../../platform/operation.ts'
import { packageFileMissing } from '../../packages/content/open-content.ts'
import { findAgentPackage, findWindowsInstaller } from '../agent-package.ts'
import { openAgentFile } from '../open-agent-file.ts'
import { windowsInstallerMissing } from './problems.ts'

export const getWindowsInstaller = operation({
  id: 'getWindowsInstaller',
  route: 'GET /install/muster-agent.msi',
  summary: 'Download the installer of the agent for Windows',
  description:
    'The MSI file of the package that an administrator has designated; if the service has trusted keys, one of them must have signed it. It contains no secret. Supports ranges. The command of an enrolment token downloads the same file by its hash and checks it.',
  role: 'no token',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  returns: fileContent,
  answerType: fileType,
  execution: { kind: 'Download', by: 'installers' },
  problems: [windowsInstallerMissing, packageFileMissing, tooManyDownloads],
  extension: true,
  async handle({ db, services: { configuration } }) {
    const agent = await findAgentPackage(db, configuration, 'Windows')
    const installer = agent && findWindowsInstaller(agent)
    if (!installer) throw windowsInstallerMissing()
    return openAgentFile(configuration, agent, installer)
  },
})
