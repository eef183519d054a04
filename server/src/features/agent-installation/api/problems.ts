import { problem } from '../../../platform/problem.ts'

export const agentPackageMissing = problem(
  'AgentPackageMissing',
  404,
  'There is no agent for Linux to install. An administrator designates its package: GET /api/agent-packages shows what is missing.',
)

export const windowsInstallerMissing = problem(
  'WindowsInstallerMissing',
  404,
  'There is no installer for Windows. An administrator designates the package that contains it: GET /api/agent-packages shows what is missing.',
)

export const installFileNotFound = problem('InstallFileNotFound', 404, 'The package of the agent has no such file.')

export const notAnAgentPackage = problem(
  'NotAnAgentPackage',
  409,
  'The package does not have the name of the agent for this platform, or contains nothing to install it from. npm run package builds such packages.',
)

export const agentPackageChanged = problem(
  'AgentPackageChanged',
  409,
  'The content of the package has changed. Check it again before you designate the package.',
)

export const agentPackageNotTrusted = problem(
  'AgentPackageNotTrusted',
  409,
  'None of the keys in MUSTER_TRUSTED_KEYS has signed the package, so it would not be served.',
)

export const agentPackageNotDesignated = problem(
  'AgentPackageNotDesignated',
  404,
  'No package is designated for this platform.',
)
