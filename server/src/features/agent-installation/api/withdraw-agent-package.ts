import { noContent, operation } from '../../../platform/operation.ts'
import { agentPackageNotDesignated } from './problems.ts'
import { AgentPackagePath } from './schemas.ts'

export const withdrawAgentPackage = operation({
  id: 'withdrawAgentPackage',
  route: 'DELETE /api/agent-packages/:platform',
  summary: 'Withdraw the designation of an agent package',
  description: 'New computers with this platform get no agent from the service any more. The package stays as it is.',
  role: 'admin.manage',
  params: AgentPackagePath,
  returns: noContent,
  problems: [agentPackageNotDesignated],
  extension: true,
  async handle({ params: { platform }, db }) {
    const withdrawn = await db
      .deleteFrom('agent_packages')
      .where('platform', '=', platform)
      .returning('platform')
      .executeTakeFirst()
    if (!withdrawn) throw agentPackageNotDesignated({ platform })
  },
})
