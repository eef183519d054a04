import { closed, Instant, nullable, patchOf, Type, text, Uuid } from '../../../platform/schema.ts'
import { UserDeadline } from '../../distribution/api/user-deadline-schemas.ts'
import {
  integerIn,
  RolloutCriteriaRequest,
  releaseMinutes,
  ringName,
  rolloutName,
  windowsOf,
  windowTimeZone,
} from './common-schemas.ts'

export const RingRequest = closed(
  {
    name: Type.Optional(ringName),
    count: Type.Optional(integerIn([1, 10_000_000], 20, 'Number of computers')),
    percent: Type.Optional(integerIn([1, 100], 10, 'Percentage of all computers of the group, at least one computer')),
    groupId: Type.Optional({ ...Uuid, description: 'The members of this group and of the groups below it' }),
    releaseMinutes: Type.Optional(releaseMinutes),
    windows: Type.Optional(windowsOf('Maintenance windows of the ring. Default: those of the rollout')),
  },
  {
    title: 'RolloutRingRequest',
    description: 'Give one of `count`, `percent` and `groupId`. The last ring may have none: it takes the rest.',
  },
)

export const CreateRolloutRequest = closed(
  {
    name: rolloutName,
    groupId: { ...Uuid, description: 'The computers of this group and of the groups below it get what is assigned' },
    packageId: Type.Optional(nullable({ ...Uuid, description: 'Only this package. Default: all that is assigned' })),
    rings: Type.Array(RingRequest, { minItems: 1, maxItems: 20 }),
    criteria: Type.Optional(RolloutCriteriaRequest),
    windows: Type.Optional(
      windowsOf('Maintenance windows of all rings that have none of their own. Default: any time'),
    ),
    timeZone: Type.Optional(nullable(windowTimeZone)),
    emergency: Type.Optional(
      Type.Boolean({ default: false, examples: [false], description: 'Ignores all maintenance windows' }),
    ),
    deadlineUtc: Type.Optional(
      nullable({ ...Instant, description: 'From then on neither windows nor gradual release delay it' }),
    ),
    userDeadline: Type.Optional(nullable(UserDeadline)),
    catchUpDays: Type.Optional(
      integerIn([0, 365], 14, 'How long computers can join after the last ring is done. Default: 14'),
    ),
    allowLastOfSite: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description:
          'Allows rings that contain every computer of a site with a tag such as `protected:domain-controller`',
      }),
    ),
  },
  { title: 'CreateRolloutRequest' },
)

const RingPatch = closed(
  {
    ring: integerIn([1, 20], 2, 'Number of a ring that has not begun'),
    windows: Type.Optional(windowsOf('Its maintenance windows')),
    releaseMinutes: Type.Optional(releaseMinutes),
  },
  { title: 'RolloutRingPatch' },
)

export const UpdateRolloutRequest = patchOf(
  {
    name: rolloutName,
    criteria: RolloutCriteriaRequest,
    rings: Type.Array(RingPatch, { maxItems: 20 }),
    userDeadline: UserDeadline,
  },
  { title: 'UpdateRolloutRequest' },
)

export const PauseRolloutRequest = closed(
  { reason: Type.Optional(nullable(text(1000, 'The vendor reports a problem', 'Why it is paused'))) },
  { title: 'PauseRolloutRequest' },
)
