export {
  type AppImageFacts,
  type ArchiveFacts,
  type DebFacts,
  type ExeFacts,
  type ExeFamily,
  exeFamilies,
  type InstallerFacts,
  type InstallerScript,
  type MsiFacts,
  type MsixFacts,
  type RpmFacts,
  type ScriptFacts,
  type Signer,
} from './facts.ts'
export { InstallerFault, type InstallerFaultCode, installerFaultCodes } from './installer-fault.ts'
export { defaultInstallerLimits, type InstallerLimits } from './limits.ts'
export {
  type Confidence,
  confidences,
  type ProposedLine,
  type ProposedManifest,
  type ProposedRequirement,
  requirementKinds,
  type SoftwareManifest,
} from './proposal/proposal.ts'
export { proposeManifest } from './proposal/propose-manifest.ts'
export { readInstaller } from './read-installer.ts'
