import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { agentStatuses } from '../../agents/agent-status.ts'
import { healthStatuses } from '../computer-health.ts'

const textValue = (example: string, description: string) => Type.String({ examples: [example], description })

export const EndpointHealth = closed(
  {
    clientId: Id,
    hostname: textValue('pc-0017', 'Name of the computer'),
    domain: nullable(text(255, 'corp.example.org', 'Domain or workgroup')),
    macAddress: nullable(text(64, '00:1B:44:11:3A:B7', 'MAC address')),
    uuid: Uuid,
    lastSeenUtc: nullable({ ...Instant, description: 'Last contact of the agent; null before the first one' }),
    agentStatus: enumOf(agentStatuses, {
      title: 'AgentStatus',
      description:
        'Reporting: the agent keeps its schedule, or its last contact was within 24 hours. Stale: it is late by more than ' +
        'half of its contact interval. Silent: it was late twice as long, and for at least 7 days. Unknown: no contact yet.',
    }),
    healthStatus: enumOf(healthStatuses, {
      title: 'HealthStatus',
      description:
        'Unreachable: the agent is Silent, or it never contacted the server, which itself needs none. Warning: the computer has at least one issue ' +
        'in `activeIssues` of getComputerIssues. Healthy: it has none.',
    }),
    operatingSystem: nullable(textValue('Windows 11 Enterprise', 'Name and edition of the operating system')),
    ipAddress: nullable(textValue('192.0.2.17', 'The reported address, otherwise the configured one')),
    manufacturer: nullable(textValue('Contoso', 'Manufacturer of the computer')),
    model: nullable(textValue('Desk 500', 'Model of the computer')),
    architecture: nullable(textValue('x64', 'Processor architecture, in one spelling for all sources')),
    inventoryDate: nullable({ ...Instant, description: 'Date of the last inventory; null without one' }),
    agentInstalled: nullable(
      Type.Boolean({
        examples: [true],
        description: 'True when an agent is enrolled, false when no agent has ever made contact, null when unknown',
      }),
    ),
  },
  { title: 'EndpointHealth' },
)
