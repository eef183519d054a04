import { problem } from '../../../platform/problem.ts'

export const agentPackageMissing = problem(
  'AgentPackageMissing',
  404,
  'There is no released package of the agent. Import and release the one that npm run package has built. With MUSTER_TRUSTED_KEYS, one of these keys must have signed it.',
)

export const windowsInstallerMissing = problem(
  'WindowsInstallerMissing',
  404,
  'There is no released package with the installer for Windows. Import and release the one that npm run package -- agent-windows has built. With MUSTER_TRUSTED_KEYS, one of these keys must have signed it.',
)

export const installFileNotFound = problem('InstallFileNotFound', 404, 'The package of the agent has no such file.')
