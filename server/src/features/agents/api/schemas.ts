import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'

const textValue = (example: string, description: string) => Type.String({ examples: [example], description })

export const EndpointHealth = closed(
  {
    clientId: Id,
    hostname: textValue('pc-0017', 'Name of the computer'),
    domain: nullable(text(255, 'corp.example.org', 'Domain or workgroup')),
    macAddress: nullable(text(64, '00:1B:44:11:3A:B7', 'MAC address')),
    uuid: Uuid,
    lastSeenUtc: nullable({ ...Instant, description: 'Last contact of the agent; null before the first one' }),
    agentStatus: enumOf(['Reporting', 'Stale', 'Silent', 'Unknown'], {
      title: 'AgentStatus',
      description: 'Reporting: last contact within 24 hours; Stale: within 7 days; Silent: longer ago; Unknown: never',
    }),
    healthStatus: enumOf(['Healthy', 'Warning', 'Unreachable'], {
      title: 'HealthStatus',
      description: 'Healthy while the agent is Reporting, Warning while it is Stale, otherwise Unreachable',
    }),
    operatingSystem: nullable(textValue('Windows 11 Enterprise', 'Name and edition of the operating system')),
    ipAddress: nullable(textValue('192.0.2.17', 'The reported address, otherwise the configured one')),
    manufacturer: nullable(textValue('Contoso', 'Manufacturer of the computer')),
    model: nullable(textValue('Desk 500', 'Model of the computer')),
    architecture: nullable(textValue('AMD64', 'Processor architecture')),
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

export const RebootStatus = closed(
  {
    clientId: Id,
    lastReboot: nullable({ ...Instant, description: 'When the computer last started' }),
    uptime: nullable(
      textValue(
        'P3DT4H12M55S',
        'Time from the last start to the last contact, as an ISO 8601 duration of at most days',
      ),
    ),
    rebootRequired: Type.Boolean({
      examples: [false],
      description:
        'The agent reports that the operating system needs a reboot. Reboots requested in Muster do not count.',
    }),
    rebootRequiredSource: nullable(textValue('/var/run/reboot-required', 'What requires the reboot')),
    lastUpdated: { ...nullable(Instant), description: 'Last contact of the agent' },
  },
  { title: 'RebootStatus' },
)
