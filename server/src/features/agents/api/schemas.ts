import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'

const line = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description && { description }) })

export const EndpointHealth = closed(
  {
    clientId: Id,
    hostname: line('pc-0017'),
    domain: nullable(text(255, 'corp.example.org')),
    macAddress: nullable(text(64, '00:1B:44:11:3A:B7')),
    uuid: Uuid,
    lastSeenUtc: nullable(Instant),
    agentStatus: enumOf(['Reporting', 'Stale', 'Silent', 'Unknown'], {
      title: 'AgentStatus',
      description: 'Reporting: seen within 24 hours; Stale: within 7 days; Silent: before; Unknown: never',
    }),
    healthStatus: enumOf(['Healthy', 'Warning', 'Unreachable'], {
      title: 'HealthStatus',
      description: 'Healthy while the agent is Reporting, Warning while it is Stale, otherwise Unreachable',
    }),
    operatingSystem: nullable(line('Windows 11 Enterprise')),
    ipAddress: nullable(line('192.0.2.17')),
    manufacturer: nullable(line('Contoso')),
    model: nullable(line('Desk 500')),
    architecture: nullable(line('AMD64')),
    inventoryDate: nullable(Instant),
    agentInstalled: nullable(
      Type.Boolean({
        examples: [true],
        description: 'True with an enrolled agent, false when none was ever heard of, otherwise null: not known',
      }),
    ),
  },
  { title: 'EndpointHealth' },
)

export const RebootStatus = closed(
  {
    clientId: Id,
    lastReboot: nullable(Instant),
    uptime: nullable(
      line('P3DT4H12M55S', 'From the last reboot to the last contact, as a duration after ISO 8601 of days and less'),
    ),
    rebootRequired: Type.Boolean({
      examples: [false],
      description: 'What the agent says; a reboot that was requested does not count',
    }),
    rebootRequiredSource: nullable(line('/var/run/reboot-required')),
    lastUpdated: { ...nullable(Instant), description: 'The last contact of the agent' },
  },
  { title: 'RebootStatus' },
)
