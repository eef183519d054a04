import { closed, enumOf, Instant, Int32, nullable, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { distributionCommandNames } from '../commands.ts'
import { longestWindow, shortestWindow } from '../schedule.ts'

export const OptionsQuery = closed({
  packageId: Type.Optional({
    ...Uuid,
    description: 'The package whose options are meant; left out for the whole group',
  }),
})

const commands = Type.Array(enumOf(distributionCommandNames, { title: 'DistributionCommand' }), {
  maxItems: 20,
  examples: [['Install', 'Update']],
  description: 'The commands by name; they always agree with distCommands',
})

const distCommands = {
  ...Int32,
  minimum: 1,
  maximum: 127,
  examples: [3],
  description:
    'The commands as a sum: 1 Install, 2 Update, 4 Uninstall, 8 Reinstall, 16 Force, 32 Hidden, 64 Optional. Of the ' +
    'first four one is set, or Install with Update',
}

const scheduleString = text(
  500,
  'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180',
  'Parts joined with semicolons: CRON, TZ, DURATION in minutes, FROM, UNTIL. Empty: at once and without end',
)

const schedule = {
  from: { ...nullable(Instant), examples: [null], description: 'Nothing begins before' },
  until: { ...nullable(Instant), examples: [null], description: 'Nothing begins from then on' },
  cron: nullable(
    text(200, '0 22 * * SAT', 'Minute, hour, day of month, month, day of week: opens a window at each match'),
  ),
  timeZone: nullable(text(100, 'Europe/Berlin', 'IANA time zone of the cron pattern; UTC unless given')),
  durationMinutes: nullable({
    ...Int32,
    minimum: shortestWindow,
    maximum: longestWindow,
    examples: [180],
    description: 'How long a window of the cron pattern stays open',
  }),
}

const nextStart = { ...nullable(Instant), description: 'When the schedule next opens; computed for each answer' }

const options = {
  revokeCount: {
    ...Int32,
    minimum: 0,
    examples: [3],
    description: 'How often the user may postpone; 0: not at all',
  },
  wol: Type.Boolean({ examples: [false], description: 'Wake-on-LAN is requested' }),
  revokeDate: { ...nullable(Instant), description: 'Until when the user may postpone' },
  optionalDate: { ...nullable(Instant), description: 'Until when an optional package is offered' },
}

export const DistributionOptions = closed(
  {
    groupId: { ...Uuid, description: 'The group that was asked for' },
    packageId: { ...nullable(Uuid), description: 'Null for the options of the whole group' },
    distCommands,
    commands,
    scheduleString,
    schedule: closed({ ...schedule, nextStart }, { title: 'DistributionSchedule' }),
    ...options,
  },
  { title: 'DistributionOptions' },
)

export type DistributionOptions = Static<typeof DistributionOptions>

export const SetDistributionOptionsRequest = closed(
  {
    distCommands: Type.Optional(nullable(distCommands)),
    commands: Type.Optional(nullable(commands)),
    scheduleString: Type.Optional(nullable(scheduleString)),
    schedule: Type.Optional(
      nullable(
        closed(
          {
            from: Type.Optional(schedule.from),
            until: Type.Optional(schedule.until),
            cron: Type.Optional(schedule.cron),
            timeZone: Type.Optional(schedule.timeZone),
            durationMinutes: Type.Optional(schedule.durationMinutes),
            nextStart: Type.Optional({ ...nextStart, description: 'Ignored, so that what was read can be written' }),
          },
          { title: 'SetDistributionScheduleRequest' },
        ),
      ),
    ),
    revokeCount: Type.Optional(nullable(options.revokeCount)),
    wol: Type.Optional(nullable(options.wol)),
    revokeDate: Type.Optional(options.revokeDate),
    optionalDate: Type.Optional(options.optionalDate),
  },
  { title: 'SetDistributionOptionsRequest' },
)

export type SetDistributionOptionsRequest = Static<typeof SetDistributionOptionsRequest>
