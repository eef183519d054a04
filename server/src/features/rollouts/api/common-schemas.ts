import { closed, enumOf, Int32, nameText, nullable, Type, text } from '../../../platform/schema.ts'
import { weekdays } from '../../hand-out/rollout-windows.ts'

export const integerIn = (range: [number, number], example: number, description: string) => ({
  ...Int32,
  minimum: range[0],
  maximum: range[1],
  examples: [example],
  description,
})

export const countOf = (description: string, example = 120) => integerIn([0, 2 ** 31 - 1], example, description)

export const nameOf = (description: string, example: string) => nameText(255, example, description)

const year = 525_600

const criteriaFields = {
  minSuccessPercent: integerIn(
    [1, 100],
    95,
    'A ring is good if this share of its computers with work has succeeded. Default: 95',
  ),
  minResults: integerIn(
    [1, 1_000_000],
    10,
    'and if it has this many results, or one of each of its computers. Default: 1',
  ),
  soakMinutes: integerIn([0, year], 1440, 'How long a ring has to stay good before the next one opens. Default: 0'),
  awayHours: integerIn(
    [1, 8760],
    24,
    'A computer that has not been seen since its release no longer counts after this time. Default: 24',
  ),
  maxFailurePercent: nullable(
    integerIn(
      [0, 100],
      5,
      'Pauses the rollout if more computers of a ring fail; null: never. Default: 100 minus minSuccessPercent',
    ),
  ),
  sharedCauseComputers: nullable(
    integerIn(
      [1, 1_000_000],
      5,
      'Pauses it if this many computers fail with the same exit code or the same error; null: never. Default: 5',
    ),
  ),
  silentComputers: nullable(
    integerIn(
      [1, 1_000_000],
      5,
      'Pauses it if this many agents fall silent after they got work; null: never. Default: 5',
    ),
  ),
  silentAfterMinutes: integerIn([5, year], 1440, 'An agent is silent after this time without a contact. Default: 1440'),
  bootFailures: nullable(
    integerIn(
      [1, 1_000_000],
      2,
      'Pauses it if this many computers do not come back from a restart, or restart again and again; null: never. Default: 2',
    ),
  ),
  bootTimeoutMinutes: integerIn([5, year], 60, 'How long a restart may take. Default: 60'),
}

export const RolloutCriteria = closed(criteriaFields, {
  title: 'RolloutCriteria',
  description: 'When the rollout continues with the next ring, and when it pauses itself',
})

export const RolloutCriteriaRequest = Type.Partial(RolloutCriteria, {
  additionalProperties: false,
  title: 'RolloutCriteriaRequest',
})

const MaintenanceWindow = closed(
  {
    days: Type.Array(enumOf(weekdays), { minItems: 1, maxItems: 7, examples: [['Sat', 'Sun']] }),
    start: Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      examples: ['22:00'],
      description: 'Local time at which the window opens on these days',
    }),
    durationMinutes: integerIn([5, 1440], 240, 'How long it is open. Work starts only if its time limit still fits'),
  },
  { title: 'MaintenanceWindow' },
)

export const windowsOf = (description: string) => Type.Array(MaintenanceWindow, { maxItems: 20, description })

export const releaseMinutes = integerIn(
  [0, year],
  480,
  'Over how long the computers of the ring are released, evenly. Default: 0',
)

export const ringName = nameOf('Name of the ring. Default: its number', 'Pilot')

export const rolloutName = nameOf('Name of the rollout', 'PDF viewer 24.2')

export const windowTimeZone = text(
  100,
  'Europe/Berlin',
  'Time zone of the windows; null: that of each computer, or UTC if unknown',
)
