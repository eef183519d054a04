import { closed, Id, Instant, nullable, Type } from '../../../platform/schema.ts'

const textValue = (example: string, description: string) => Type.String({ examples: [example], description })

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
