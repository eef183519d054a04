import type { FastifyInstance } from 'fastify'
import { type MountParts, mount } from '../../platform/mount.ts'
import { machineChannel } from '../../platform/openapi/channel.ts'
import { agentAuthenticator } from './authenticate-agent.ts'
import { awaitCall } from './await-call.ts'
import { enrolAgent } from './enrol-agent.ts'
import { getWorkFile } from './get-work-file.ts'
import { agentInventory } from './inventory/index.ts'
import { agentPatches } from './patches/index.ts'
import { postponeWork } from './postpone-work.ts'
import { reportContact } from './report-contact.ts'
import { reportOsInstallation } from './report-os-installation.ts'
import { reportProgress } from './report-progress.ts'
import { reportResult } from './report-result.ts'
import { getSoftwareIcon } from './self-service/get-software-icon.ts'
import { listSoftware } from './self-service/list-software.ts'
import { reportUserChoices } from './self-service/report-user-choices.ts'
import { startWork } from './start-work.ts'

export const agentChannel = machineChannel({
  address: '/openapi/agent-v1.json',
  title: 'Muster agent channel',
  summary: 'How agents receive work and report its results',
  credential: 'The credential of an agent, which it receives when it enrols.',
  sections: [
    {
      name: 'Agent channel',
      description: 'Enrolment, contacts and work.',
      operations: [
        enrolAgent,
        reportContact,
        awaitCall,
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
      description: 'Hardware, software and state of a computer. Agents send a section when its content has changed.',
      operations: agentInventory,
    },
    {
      name: 'Patches',
      description: 'Installed and missing patches of a computer.',
      operations: agentPatches,
    },
    {
      name: 'Self-service',
      description: 'What the user of a computer sees and chooses.',
      operations: [listSoftware, getSoftwareIcon, reportUserChoices],
    },
  ],
})

/** Mounts the channel. It accepts only agent credentials, and no other channel accepts those. */
export function mountAgentChannel(app: FastifyInstance, parts: MountParts): void {
  const { lanes, services } = parts
  mount(
    app,
    agentChannel.sections.flatMap((section) => section.operations),
    { ...parts, lane: 'machines', authenticateMachine: agentAuthenticator(lanes.machines.db, services.keys) },
  )
}
