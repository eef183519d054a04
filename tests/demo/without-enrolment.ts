/** Values of answers about the package of the agent. The demo designates one if `npm run package` has built it. */
export const unseenAgentPackageValues = [
  'AgentPackage.contentHash',
  'AgentPackage.designatedAtUtc',
  'AgentPackage.designatedBy',
  'AgentPackage.package',
  'AgentPackageState=ContentChanged',
  'AgentPackageState=NotReleased',
  'AgentPackageState=NotTrusted',
  'AgentPackageState=Served',
]

/** Values of answers that need an agent which matches several computers, or computers with one UUID that make contacts. */
export const unseenAmbiguityValues = [
  'CandidateComputer.clientId',
  'CandidateComputer.hasAgent',
  'CandidateComputer.hostname',
  'CandidateComputer.macAddress',
  'DuplicateUuid.lastSeenUtc',
]

export const unusedAgentPackageColumns = [
  'agent_packages.content_hash',
  'agent_packages.designated_at',
  'agent_packages.designated_by',
  'agent_packages.package_id',
  'agent_packages.platform',
]

export const unusedFusionColumns = [
  'agents.kind',
  'file_digests.*',
  'file_parts.*',
  'fusion_devices.*',
  'fusion_job_lines.*',
  'fusion_jobs.*',
]

/** The role of the machine that runs the service. */
export const unseenMasterServer = [
  'CatalogComputerRole.role=MasterServer',
  'ComputerRole=MasterServer',
  'ComputerManagement.role=MasterServer',
  'DepotServer.role=MasterServer',
  'GroupDepotServer.role=MasterServer',
]
