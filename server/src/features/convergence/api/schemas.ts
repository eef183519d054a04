import { closed, enumOf, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { groupPath } from '../../groups/group-path.ts'
import {
  countOf,
  integerIn,
  RolloutCriteria,
  RolloutCriteriaRequest,
  windowsOf,
  windowTimeZone,
} from '../../rollouts/api/common-schemas.ts'
import { RingRequest } from '../../rollouts/api/request-schemas.ts'
import { convergenceDefaults } from '../settings.ts'

const { expectedComputers, maxRemovals, maxRepairsPerDay } = convergenceDefaults

const State = enumOf(['On', 'Off'], {
  title: 'ConvergenceState',
  description: 'Whether what is assigned to the members becomes work without an activation',
})

const rings = Type.Array(RingRequest, {
  minItems: 2,
  maxItems: 20,
  examples: [[{ percent: 10 }, {}]],
  description: 'The rings of each wave. The last one takes the rest',
})

export const convergenceLimits = {
  expectedComputers: integerIn(
    [0, 10_000_000],
    expectedComputers,
    'How many computers waves may reach within a day. A wave beyond it stays in its first ring until a person resumes it. ' +
      `Default: ${expectedComputers}`,
  ),
  expectedPercent: nullable(
    integerIn([1, 100], 20, 'The same as a share of the members; the lower limit counts. Null: none. Default: null'),
  ),
  maxRemovals: integerIn(
    [0, 10_000_000],
    maxRemovals,
    `From how many computers waves may remove software within a day without an approval. Default: ${maxRemovals}`,
  ),
  maxRepairsPerDay: integerIn(
    [0, 1000],
    maxRepairsPerDay,
    'How often software that was removed or replaced by hand is installed again on a computer within a day. ' +
      `Default: ${maxRepairsPerDay}`,
  ),
}

const Waiting = closed(
  {
    code: enumOf(['Comparing', 'Frozen', 'WaveNeedsPerson', 'Refused'], {
      title: 'ConvergenceWaitCode',
      description:
        'Comparing: within two minutes. Frozen: until the freeze ends. WaveNeedsPerson: a wave is paused or has more computers ' +
        'than expected. Refused: the next wave was refused with `problemCode`',
    }),
    sinceUtc: nullable({
      ...Instant,
      description: 'The first change that waits; null if it concerns single computers',
    }),
    rolloutId: nullable({ ...Uuid, description: 'The wave that a person has to look at' }),
    problemCode: nullable(text(100, 'RingTooLarge', 'Why the next wave was refused')),
  },
  { title: 'ConvergenceWait', description: 'Why changes have no wave yet; null if none waits' },
)

export const GroupConvergence = closed(
  {
    groupId: Uuid,
    state: State,
    isInherited: Type.Boolean({ examples: [false], description: 'The group has no setting of its own' }),
    sourceGroupId: nullable({ ...Uuid, description: 'The group that has the setting; null if none above has one' }),
    sourceGroupPath: nullable(groupPath('Names of that group and of its ancestors')),
    rings: nullable(rings),
    criteria: nullable(RolloutCriteria),
    timeZone: nullable(windowTimeZone),
    expectedComputers: nullable(convergenceLimits.expectedComputers),
    expectedPercent: convergenceLimits.expectedPercent,
    maxRemovals: nullable(convergenceLimits.maxRemovals),
    maxRepairsPerDay: nullable(convergenceLimits.maxRepairsPerDay),
    changedAtUtc: nullable(Instant),
    changedBy: nullable(text(255, 'client-5b1f0e2a9c', 'Name of the principal that set it')),
    openWaves: countOf('Waves of the group with the setting that have not ended', 1),
    lastWaveAtUtc: nullable({ ...Instant, description: 'When the last wave began' }),
    comparedAtUtc: nullable({ ...Instant, description: 'When all members were last compared' }),
    waiting: nullable(Waiting),
  },
  { title: 'GroupConvergence' },
)

export const SetGroupConvergenceRequest = closed(
  {
    state: State,
    rings: Type.Optional(rings),
    criteria: Type.Optional(RolloutCriteriaRequest),
    windows: Type.Optional(
      windowsOf('Maintenance windows of all rings that have none of their own. Default: any time'),
    ),
    timeZone: Type.Optional(nullable(windowTimeZone)),
    expectedComputers: Type.Optional(convergenceLimits.expectedComputers),
    expectedPercent: Type.Optional(convergenceLimits.expectedPercent),
    maxRemovals: Type.Optional(convergenceLimits.maxRemovals),
    maxRepairsPerDay: Type.Optional(convergenceLimits.maxRepairsPerDay),
  },
  {
    title: 'SetGroupConvergenceRequest',
    description: 'What is missing has its default. With the state Off, nothing else can be given.',
  },
)
