import { packageKinds } from '../../features/packages/manifest.ts'
import { leasableWorkKinds } from '../../features/work-states/work-states.ts'
import { closed, enumOf, Instant, nullable, Type, text, Uuid } from '../../platform/schema.ts'

export const WorkPath = closed({
  workId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] }),
})

export const Sha256 = Type.String({
  pattern: '^[\\da-f]{64}$',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

/** Which hand-out of the work is meant. */
export const Attempt = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, examples: [1] })

export const LeaseSeconds = Type.Integer({
  examples: [900],
  description: 'For how long the work is the agent’s without a word from it',
})

export const RunId = { ...Uuid, description: 'A random id of the process of the agent' }

const minutes = Type.Integer({ examples: [15] })

const WorkPackage = closed(
  {
    packageId: Uuid,
    name: text(255, 'Greeting'),
    version: text(100, '1.2.0'),
    kind: enumOf(Object.values(packageKinds)),
    operatingSystems: Type.Array(text(50, 'Linux')),
    contentHash: Sha256,
  },
  { title: 'WorkPackage' },
)

const WorkPower = closed(
  {
    action: enumOf(['Shutdown', 'Reboot', 'LogOff', 'None']),
    timeoutMinutes: minutes,
    reminderMinutes: minutes,
  },
  { title: 'WorkPower' },
)

export const WorkOrder = closed(
  {
    workId: WorkPath.properties.workId,
    attempt: Attempt,
    kind: enumOf(leasableWorkKinds),
    leaseSeconds: LeaseSeconds,
    package: nullable(WorkPackage),
    postponable: closed(
      {
        remaining: Type.Integer({ examples: [3], description: 'How often the user may postpone; 0 for not at all' }),
        untilUtc: nullable(Instant),
      },
      { title: 'WorkPostponable' },
    ),
    hidden: Type.Boolean({ examples: [false] }),
    forced: Type.Boolean({ examples: [false] }),
    power: nullable(WorkPower),
  },
  { title: 'WorkOrder' },
)

export const WorkOffer = closed(
  { packageId: Uuid, name: text(255, 'Greeting'), version: text(100, '1.2.0'), untilUtc: nullable(Instant) },
  { title: 'WorkOffer', description: 'An optional package that the user may ask for' },
)
