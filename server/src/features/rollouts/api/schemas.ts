import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { WorkTimeLine } from '../../deployments/api/tasks/time-line-schemas.ts'
import { UserDeadline } from '../../distribution/api/user-deadline-schemas.ts'
import { groupPath } from '../../groups/group-path.ts'
import { nextCodes } from '../describe-next.ts'
import { pauseCodes } from '../pause.ts'
import { computerStates } from '../rollout-computers.ts'
import { ringStates, rolloutStates } from '../rollout-record.ts'
import {
  countOf,
  integerIn,
  RolloutCriteria,
  releaseMinutes,
  ringName,
  rolloutName,
  windowsOf,
  windowTimeZone,
} from './common-schemas.ts'

export const RolloutPath = closed({ id: Uuid })

export const RolloutStateName = enumOf(rolloutStates, { title: 'RolloutState' })

const Pause = closed(
  {
    code: enumOf(pauseCodes, { title: 'RolloutPauseCode' }),
    text: text(4000, '7 computers of ring 1 failed; at most 5 may fail.', 'The reason as a sentence'),
    atUtc: nullable({
      ...Instant,
      description: 'When it was paused; the numbers are of that moment. Null for a pause of an earlier version',
    }),
    sinceUtc: nullable({ ...Instant, description: 'The last resume: only what happened after it counts; null: never' }),
    by: nullable(text(255, 'client-5b1f0e2a9c', 'Name of the principal who paused it')),
    reason: nullable(text(1000, 'The vendor reports a problem', 'Why that principal did')),
    ring: nullable(integerIn([1, 20], 1, 'The ring in which it happened')),
    computers: nullable(countOf('How many computers', 7)),
    retried: nullable(
      countOf('Of these, failed and to be retried after the pause; null if it is not about failures', 3),
    ),
    limit: nullable(countOf('The limit of the criteria, of the setting of a converged group, or a quota', 5)),
    withinHours: nullable(
      integerIn([1, 24], 24, 'The period in which the limit counts; null: since the rollout began or was resumed'),
    ),
    exitCode: nullable({ ...Int32, examples: [1603], description: 'The exit code that the computers share' }),
    error: nullable(text(1000, 'no space left on device', 'The error that the computers share, without its details')),
  },
  { title: 'RolloutPause', description: 'Why the rollout is paused; null if it is not' },
)

const Next = closed(
  {
    code: enumOf(nextCodes, { title: 'RolloutNextCode' }),
    ring: nullable(integerIn([1, 20], 1, 'The ring that it concerns')),
    text: text(4000, 'Ring 2 opens within seconds.', 'What happens next, as a sentence'),
    atUtc: nullable({ ...Instant, description: 'When; null if it depends on results or on people' }),
  },
  { title: 'RolloutNext', description: 'What happens next; null if the rollout has ended' },
)

const summaryFields = {
  rolloutId: Uuid,
  name: rolloutName,
  groupId: Uuid,
  groupPath: nullable(groupPath('Names of the group and of its ancestors; null if it was deleted')),
  packageId: nullable({ ...Uuid, description: 'Null: all that is assigned' }),
  packageName: nullable(text(255, 'PDF viewer', 'Name of that package')),
  state: RolloutStateName,
  openRing: nullable(integerIn([1, 20], 1, 'The ring that is open; null before the first and after the last')),
  ringCount: integerIn([1, 20], 3, 'How many rings it has'),
  computerCount: countOf('Computers in all rings'),
  releasedCount: countOf('Of these, released', 20),
  succeededCount: countOf('Of these, successful', 19),
  failedCount: countOf('Of these, failed for good', 1),
  retryingCount: countOf('Of these, failed and to be retried by the service', 0),
  cancelledCount: countOf('Of these, with work that was cancelled', 0),
  nothingDueCount: countOf('Of these, released without any work due', 0),
  isWave: Type.Boolean({
    examples: [false],
    description:
      'It keeps the members of the group converged: nobody requested it, and its computers are those of a change',
  }),
  upgradeId: nullable({ ...Uuid, description: 'The upgrade of a package line that it belongs to' }),
  rolledBackPackageId: nullable({
    ...Uuid,
    description: 'For a rollback: the version that its computers get rid of. No others join it',
  }),
  expectedComputers: nullable(
    countOf('For a wave with more computers than expected: how many were. A person has to resume it after ring 1', 100),
  ),
  pause: nullable(Pause),
  next: nullable(Next),
  createdBy: text(255, 'client-5b1f0e2a9c', 'Name of the principal that created it, or what did for a wave'),
  createdAtUtc: Instant,
  evaluatedAtUtc: nullable({ ...Instant, description: 'When results were last counted' }),
  endedAtUtc: nullable({ ...Instant, description: 'When it was completed, or the last of its work was cancelled' }),
}

export const RolloutSummary = closed(summaryFields, { title: 'RolloutSummary' })

const RingComputers = closed(
  {
    total: countOf('All computers of the ring'),
    unreleased: countOf('Of these, not released yet or waiting for a retry', 0),
    pending: countOf('Of these, with work that nothing is reported about', 40),
    retrying: countOf('Of these, with work that failed and is retried by itself', 0),
    succeeded: countOf('Of these, with all work successful', 79),
    failed: countOf('Of these, with work that failed for good', 1),
    cancelled: countOf('Of these, with work that was cancelled', 0),
    nothingDue: countOf('Of these, without any work due at their release', 0),
    away: countOf('Pending computers that have been away for too long to count', 0),
    failing: countOf('Of the retrying and failed ones, since the rollout was last resumed', 1),
    failingRetried: countOf('Of the failing ones, those that will be retried', 0),
  },
  { title: 'RolloutRingComputers', description: 'At the last evaluation' },
)

const RingSize = closed(
  {
    kind: enumOf(['Count', 'Percent', 'Group', 'Rest']),
    size: nullable(countOf('Computers or percent', 10)),
    groupId: nullable(Uuid),
    groupPath: nullable(groupPath('Names of that group and of its ancestors; null if it was deleted')),
    positionsBelow: nullable(
      Type.Number({
        examples: [0.1],
        description: 'Computers at lower positions belong to the ring, unless an earlier ring has them',
      }),
    ),
  },
  { title: 'RolloutRingSize' },
)

const Ring = closed(
  {
    ring: integerIn([1, 20], 1, 'Number of the ring'),
    name: ringName,
    size: RingSize,
    releaseMinutes,
    windows: windowsOf('Its maintenance windows; empty: any time'),
    state: enumOf(ringStates, { title: 'RolloutRingState' }),
    openedAtUtc: nullable(Instant),
    criteriaMetAtUtc: nullable({ ...Instant, description: 'Since when its results are good' }),
    doneAtUtc: nullable(Instant),
    computers: RingComputers,
    plannedWorkItems: countOf('Work items that it creates, as predicted when the rollout was created', 240),
    plannedDownloadBytes: Type.Integer({
      minimum: 0,
      examples: [52_428_800],
      description: 'Bytes that its computers download for them, from depots or from the service',
    }),
    expectedEndUtc: { ...Instant, description: 'When it will be done if all goes well' },
  },
  { title: 'RolloutRing' },
)

const PausedTime = closed(
  { fromUtc: Instant, untilUtc: nullable({ ...Instant, description: 'When it went on; null: it is paused' }) },
  { title: 'RolloutPausedTime' },
)

export const RolloutDetails = closed(
  {
    ...summaryFields,
    emergency: Type.Boolean({ examples: [false] }),
    criteria: RolloutCriteria,
    timeZone: nullable(windowTimeZone),
    deadlineUtc: nullable(Instant),
    userDeadline: nullable(UserDeadline),
    catchUpDays: integerIn([0, 365], 14, 'How long computers can join after the last ring is done'),
    catchUpUntilUtc: nullable({ ...Instant, description: 'When catch-up ends; null before it begins' }),
    pausedTimes: Type.Array(PausedTime, { description: 'When it was paused, the first time first' }),
    version: countOf('Counts the changes by principals', 1),
    rings: Type.Array(Ring),
    timeLine: Type.Optional(WorkTimeLine),
  },
  { title: 'Rollout' },
)

export const RolloutComputerState = enumOf(computerStates, { title: 'RolloutComputerState' })

export const RolloutComputer = closed(
  {
    computerId: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    ring: integerIn([1, 20], 1, 'Number of its ring'),
    position: Type.Number({
      examples: [0.0731],
      description: 'From 0 to 1: a hash of the computer and the rollout, which never changes',
    }),
    ringReason: text(1000, 'Its position 0.0731 is below 0.1.', 'Why it is in this ring'),
    state: RolloutComputerState,
    releasedAtUtc: nullable({ ...Instant, description: 'When its work was created, for the last time' }),
    finishedAtUtc: nullable({ ...Instant, description: 'When the last of its work ended' }),
    failedAtUtc: nullable({ ...Instant, description: 'Its first failure since the release' }),
    exitCode: nullable({ ...Int32, examples: [1603], description: 'Exit code of that failure' }),
    error: nullable(text(1000, 'no space left on device', 'Error of that failure, without its details')),
    silentSinceUtc: nullable({ ...Instant, description: 'Since when the rollout counts its agent as silent' }),
    bootFailedAtUtc: nullable({ ...Instant, description: 'When the rollout counted a failed start' }),
  },
  { title: 'RolloutComputer' },
)
