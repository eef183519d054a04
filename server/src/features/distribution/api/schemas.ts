import {
  closed,
  enumOf,
  extensionKeyword,
  Instant,
  Int32,
  nullable,
  type Static,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'
import { distributionCommandNames } from '../commands.ts'
import { maxWindowMinutes, minWindowMinutes } from '../schedule.ts'
import { UserDeadline } from './user-deadline-schemas.ts'

export const OptionsQuery = closed({
  packageId: Type.Optional({
    ...Uuid,
    description: 'Package whose options are meant. Leave it out for the options of the whole group.',
  }),
})

const commands = Type.Array(enumOf(distributionCommandNames, { title: 'DistributionCommand' }), {
  maxItems: 20,
  examples: [['Install', 'Update']],
  description: 'Commands by name. They always agree with distCommands.',
})

const distCommands = {
  ...Int32,
  minimum: 1,
  maximum: 127,
  examples: [3],
  description:
    'Commands as a sum: 1 Install, 2 Update, 4 Uninstall, 8 Reinstall, 16 Force, 32 Hidden, 64 Optional. Exactly one ' +
    'of the first four must be set, or Install together with Update.',
}

const scheduleString = text(
  500,
  'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180',
  'Parts separated by semicolons: CRON, TZ, DURATION in minutes, FROM, UNTIL. Empty means at once, without an end.',
)

const schedule = {
  from: { ...nullable(Instant), examples: [null], description: 'Nothing begins before this time.' },
  until: { ...nullable(Instant), examples: [null], description: 'Nothing begins from this time on.' },
  cron: nullable(
    text(200, '0 22 * * SAT', 'Minute, hour, day of month, month, day of week. Opens a window at each match.'),
  ),
  timeZone: nullable(text(100, 'Europe/Berlin', 'IANA time zone of the cron pattern. Default: UTC.')),
  durationMinutes: nullable({
    ...Int32,
    minimum: minWindowMinutes,
    maximum: maxWindowMinutes,
    examples: [180],
    description: 'How long each window of the cron pattern stays open',
  }),
}

const nextStart = { ...nullable(Instant), description: 'When the schedule next opens. Computed for each answer.' }

const options = {
  revokeCount: {
    ...Int32,
    minimum: 0,
    examples: [3],
    description: 'How often the user may postpone the package. 0 means never.',
  },
  wol: Type.Boolean({ examples: [false], description: 'Wake the computers by Wake-on-LAN.' }),
  revokeDate: { ...nullable(Instant), description: 'Until when the user may postpone the package' },
  optionalDate: { ...nullable(Instant), description: 'Until when an optional package is offered' },
  userDeadline: nullable(UserDeadline),
  preDownload: {
    ...Type.Boolean({
      examples: [false],
      description: 'Computers download the files before the schedule allows the work. Default: false.',
    }),
    [extensionKeyword]: true,
  },
}

export const DistributionOptions = closed(
  {
    groupId: { ...Uuid, description: 'Group of the request, even if the options are inherited' },
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
            nextStart: Type.Optional({
              ...nextStart,
              description: 'Ignored. Accepted so that an answer can be sent back unchanged.',
            }),
          },
          { title: 'SetDistributionScheduleRequest' },
        ),
      ),
    ),
    revokeCount: Type.Optional(nullable(options.revokeCount)),
    wol: Type.Optional(nullable(options.wol)),
    revokeDate: Type.Optional(options.revokeDate),
    optionalDate: Type.Optional(options.optionalDate),
    userDeadline: Type.Optional(options.userDeadline),
    preDownload: Type.Optional(nullable(options.preDownload)),
  },
  { title: 'SetDistributionOptionsRequest' },
)

export type SetDistributionOptionsRequest = Static<typeof SetDistributionOptionsRequest>
