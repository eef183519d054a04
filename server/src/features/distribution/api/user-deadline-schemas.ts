import { closed, extensionKeyword, Instant, Int32, nullable, type Static, Type } from '../../../platform/schema.ts'

const TimeOfDay = (example: string, description: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: [example], description })

const QuietHours = closed(
  {
    start: TimeOfDay('08:00', 'From this time on, by the clock of the computer'),
    end: TimeOfDay('12:00', 'Until this time. An earlier time than the start means the next day'),
  },
  { title: 'QuietHours', description: 'Times of each day in which the work does not begin before its deadline' },
)

/** Exact names of processes. No part of it can be a path, a pattern or an option of a command. */
const programName = Type.String({
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,99}$',
  examples: ['soffice.bin'],
})

const Deadline = closed(
  {
    afterHours: nullable({
      ...Int32,
      minimum: 1,
      maximum: 8760,
      examples: [48],
      description:
        'The deadline is this many hours after the agent first got the work item. Null: only latestUtc counts',
    }),
    latestUtc: nullable({
      ...Instant,
      description: 'The deadline is at this time at the latest. Null: only afterHours counts',
    }),
    maxPostponements: {
      ...Int32,
      minimum: 0,
      maximum: 100,
      examples: [3],
      description:
        'How often the person may choose to continue later, each time for an hour and never past the deadline',
    },
    quietHours: nullable(QuietHours),
    closePrograms: Type.Array(programName, {
      maxItems: 20,
      examples: [['soffice.bin', 'WINWORD.EXE']],
      description:
        'Exact names of processes. While a person runs one of them, the work waits. At the deadline the agent closes them.',
    }),
    noticeMinutes: {
      ...Int32,
      minimum: 1,
      maximum: 240,
      examples: [15],
      description:
        'Before programs are closed, the person is notified this many minutes ahead, even after the deadline',
    },
  },
  {
    title: 'UserDeadline',
    description:
      'What the person at the computer may do before work begins, and until when. It takes the place of revokeCount and revokeDate.',
  },
)

/** Wherever it is a property, the contract does not have it. */
export const UserDeadline = { ...Deadline, [extensionKeyword]: true }

export type UserDeadline = Static<typeof UserDeadline>
