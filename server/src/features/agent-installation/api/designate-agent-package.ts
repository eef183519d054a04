import { ok, operation } from '../../../platform/operation.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { describeDesignation, designate } from '../designations.ts'
import { agentPackageChanged, agentPackageNotTrusted, notAnAgentPackage } from './problems.ts'
import { AgentPackageDto, AgentPackagePath, AgentPackageRequest } from './schemas.ts'

export const designateAgentPackage = operation({
  id: 'designateAgentPackage',
  route: 'PUT /api/agent-packages/:platform',
  summary: 'Designate the package from which new computers get their agent',
  description:
    'It replaces the designation of the platform. The package must be one of the agent for it: with the name `muster-agent` ' +
    'and an archive for Linux, or `muster-agent-windows` and the MSI file. It is served while it is Ready to Install and has ' +
    'the content that it has now: a new version, or an import that changes the content, needs another designation. With ' +
    'MUSTER_TRUSTED_KEYS, one of these keys must have signed it.',
  role: 'admin.manage',
  params: AgentPackagePath,
  body: AgentPackageRequest,
  returns: ok(AgentPackageDto),
  problems: [packageNotFound, notAnAgentPackage, agentPackageChanged, agentPackageNotTrusted],
  extension: true,
  async handle({ params: { platform }, body, db, caller, services: { configuration } }) {
    const { packageId, contentHash = null } = body
    await designate(db, configuration, platform, { packageId, contentHash, designatedBy: caller.principal.name })
    return describeDesignation(db, configuration, platform)
  },
})
