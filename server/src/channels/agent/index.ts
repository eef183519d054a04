import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { Authenticate } from '../../platform/authentication/authenticate.ts'
import { mount } from '../../platform/mount.ts'
import { machineChannel } from '../../platform/openapi/channel.ts'
import type { Services } from '../../platform/services.ts'
import { agentAuthenticator } from './authenticate-agent.ts'
import { enrolAgent } from './enrol-agent.ts'
import { getWorkFile } from './get-work-file.ts'
import { agentInventory } from './inventory/index.ts'
import { agentPatches } from './patches/index.ts'
import { postponeWork } from './postpone-work.ts'
import { reportContact } from './report-contact.ts'
import { reportOsInstallation } from './report-os-installation.ts'
import { reportProgress } from './report-progress.ts'
import { reportResult } from './report-result.ts'
import { startWork } from './start-work.ts'

export const agentChannel = machineChannel({
  address: '/openapi/agent-v1.json',
  title: 'Muster agent channel',
  summary: 'How the agents of computers get their work and report',
  credential: 'The credential of an agent, which it gets by its enrolment.',
  sections: [
    {
      name: 'Agent channel',
      description: 'Enrolment, contacts and work.',
      operations: [
        enrolAgent,
        reportContact,
        startWork,
        getWorkFile,
        reportProgress,
        postponeWork,
        reportResult,
        reportOsInstallation,
      ],
    },
    {
      name: 'Inventory',
      description: 'What there is on a computer, in sections that are sent when they have changed.',
      operations: agentInventory,
    },
    {
      name: 'Patches',
      description: 'What patches a computer has and lacks.',
      operations: agentPatches,
    },
  ],
})

/** Mounts the channel. It takes credentials of agents only, and those are of no use anywhere else. */
export function mountAgentChannel(
  app: FastifyInstance,
  parts: { db: Database; services: Services; authenticate: Authenticate },
): void {
  const { db, services } = parts
  mount(
    app,
    agentChannel.sections.flatMap((section) => section.operations),
    { ...parts, authenticateMachine: agentAuthenticator(db, services.keys) },
  )
}
