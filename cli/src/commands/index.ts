import type { CommandDeclaration } from '../command.ts'
import { agentPackages } from './agent-packages.ts'
import { agentTemplates } from './agent-templates.ts'
import { agents } from './agents.ts'
import { api } from './api.ts'
import { approvals } from './approvals.ts'
import { audit } from './audit.ts'
import { catalog } from './catalog.ts'
import { completionOf } from './completion.ts'
import { computer } from './computer.ts'
import { computers } from './computers.ts'
import { deadline } from './deadline.ts'
import { duplicateNames } from './duplicate-names.ts'
import { duplicateUuids } from './duplicate-uuids.ts'
import { enrolToken } from './enrol-token.ts'
import { events } from './events.ts'
import { explain } from './explain.ts'
import { group } from './group.ts'
import { groups } from './groups.ts'
import { inspectInstaller } from './inspect-installer.ts'
import { issues } from './issues.ts'
import { licences } from './licences.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { mailServer } from './mail-server.ts'
import { packageLines } from './package-lines.ts'
import { packageRequests } from './package-requests.ts'
import { packages } from './packages.ts'
import { patchCompliance } from './patch-compliance.ts'
import { patchPolicies } from './patch-policies.ts'
import { patches } from './patches.ts'
import { preDownloads } from './pre-downloads.ts'
import { principal } from './principal.ts'
import { reports } from './reports.ts'
import { rollout } from './rollout.ts'
import { sbom } from './sbom.ts'
import { search } from './search.ts'
import { selection } from './selection.ts'
import { sign } from './sign.ts'
import { software } from './software.ts'
import { status } from './status.ts'
import { tasks } from './tasks.ts'
import { views } from './views.ts'
import { vulnerabilities } from './vulnerabilities.ts'
import { vulnerabilityExceptions } from './vulnerability-exceptions.ts'
import { webhooks } from './webhooks.ts'

/** Commands that only contain others, with their purpose. */
export const commandGroups: Record<string, string> = {
  selection: 'Several computers at once: by their names, or by what they have in common.',
  groups: 'The groups of computers.',
  packages: 'Import, release and follow packages.',
  'packages winget': 'Packages of the mirror of winget manifests.',
  'packages recipes': 'Packages that are described in files under version control.',
  patches: 'Patches: what is missing where, and what is approved.',
  rollout: 'Bring software to computers ring by ring.',
  'enrol-token': 'Tokens with which agents enrol.',
  agents: 'Agents in quarantine, re-enrolment, and the end of a credential.',
  'agent-templates': 'Settings for agents, and the groups that have them.',
  'patch-policies': 'Rules that approve patches without a person.',
  'patch-compliance': 'Which computers lack patches for too long, and why.',
  approvals: 'Requests that wait for a second administrator.',
  'package-requests': 'Packages that users of computers ask for.',
  principal: 'Local principals, their secrets and roles.',
  'principal roles': 'The roles of local principals, and of those of identity providers.',
  vulnerabilities: 'Vulnerabilities of installed software, by imported advisories.',
  views: 'Lists of computers under a name.',
  webhooks: 'Addresses to which events are posted.',
  reports: 'Documents about the fleet, by schedule and on request.',
  licences: 'How many computers may have which software.',
  'mail-server': 'The server through which reports are mailed.',
  catalog: 'The desired state as code: plan, apply and export it.',
}

/** All commands, in the order of the help. */
export const commands: readonly CommandDeclaration[] = [
  ...[login, logout, status, search, computers, computer, software, explain],
  ...selection,
  ...groups,
  ...[group, deadline, preDownloads],
  ...packages,
  ...packageLines,
  inspectInstaller,
  ...agentPackages,
  sign,
  ...rollout,
  ...[tasks, events],
  ...patches,
  ...[issues, duplicateUuids, duplicateNames],
  ...patchPolicies,
  ...patchCompliance,
  ...vulnerabilities,
  ...vulnerabilityExceptions,
  sbom,
  ...approvals,
  ...packageRequests,
  ...enrolToken,
  ...agents,
  ...agentTemplates,
  ...principal,
  ...views,
  ...webhooks,
  ...reports,
  ...licences,
  ...mailServer,
  ...catalog,
  ...[audit, api],
  ...completionOf(() => commands),
]
