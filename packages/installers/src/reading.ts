export type { InstallerFacts } from './facts.ts'
export { InstallerFault, type InstallerFaultCode, installerFaultCodes } from './installer-fault.ts'
export { defaultInstallerLimits, type InstallerLimits } from './limits.ts'
export { readInstaller } from './read-installer.ts'
