import { packageKinds } from '@muster/package-format'
import { workChoices } from '../../features/deployments/work-choices.ts'
import { UserDeadline } from '../../features/distribution/api/user-deadline-schemas.ts'
import { leasableWorkKinds } from '../../features/work-states/work-states.ts'
import { closed, enumOf, Instant, nullable, sha256, Traceparent, Type, text, Uuid } from '../../platform/schema.ts'

export const WorkId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [4711],
  description: 'Id of the work item',
})

export const WorkPath = closed({ workId: WorkId })

export const Attempt = Type.Integer({
  minimum: 1,
  maximum: 2 ** 31 - 1,
  examples: [1],
  description: 'Number of the attempt, as the contact handed it out',
})

export const LeaseSeconds = Type.Integer({
  examples: [900],
  description: 'The lease ends when the agent reports nothing about the work item for this long',
})

export const RunId = { ...Uuid, description: 'Random id of the agent process; a restarted agent chooses a new one' }

export const WorkPackage = closed(
  {
    packageId: { ...Uuid, description: 'Id of the package' },
    name: text(255, 'Greeting', 'Name of the package'),
    version: text(100, '1.2.0', 'Version of the package'),
    kind: enumOf(Object.values(packageKinds), { description: 'Kind of the package' }),
    operatingSystems: Type.Array(text(50, 'Linux'), {
      description: 'Operating systems that the package supports; empty for all',
    }),
    contentHash: sha256('Hash over all files of the package; it changes with their content'),
  },
  { title: 'WorkPackage', description: 'The package that the work item is about; null for Power and Refresh' },
)

const WorkPower = closed(
  {
    action: enumOf(['Shutdown', 'Reboot', 'LogOff', 'None'], { description: 'What to do with the computer' }),
    timeoutMinutes: Type.Integer({
      examples: [15],
      description: 'How long a signed-in user is warned before the action',
    }),
    reminderMinutes: Type.Integer({ examples: [15], description: 'Minutes between two reminders; 0 for a single one' }),
    withinSeconds: Type.Optional(
      Type.Integer({
        examples: [10_800],
        description:
          'The action begins within this time after the answer, or not at all: its window ends then. Absent: at any time',
      }),
    ),
  },
  { title: 'WorkPower', description: 'Only for work items of the kind Power, otherwise null' },
)

const WorkDeadline = closed(
  {
    deadlineUtc: { ...Instant, description: 'From then on, nothing of the user delays the work item' },
    quietHours: UserDeadline.properties.quietHours,
    closePrograms: UserDeadline.properties.closePrograms,
    noticeMinutes: UserDeadline.properties.noticeMinutes,
  },
  {
    title: 'WorkDeadline',
    description: 'What the agent respects until the deadline, and does then. Earlier agents only know `postponable`.',
  },
)

export const AgentWorkItem = closed(
  {
    workId: WorkId,
    attempt: Attempt,
    kind: enumOf(leasableWorkKinds, {
      description: 'What to do. Trial: install the package and uninstall it again. Refresh asks for a new inventory.',
    }),
    leaseSeconds: LeaseSeconds,
    package: nullable(WorkPackage),
    postponable: closed(
      {
        remaining: Type.Integer({ examples: [3], description: 'How often the user may postpone; 0 for never' }),
        untilUtc: nullable({ ...Instant, description: 'Latest time to postpone to; null for any time' }),
      },
      { title: 'WorkPostponable', description: 'Whether the user may postpone the work item' },
    ),
    hidden: Type.Boolean({ examples: [false], description: 'Do not show the work item to the user' }),
    forced: Type.Boolean({ examples: [false], description: 'The user cannot postpone the work item' }),
    power: nullable(WorkPower),
    userDeadline: Type.Optional(WorkDeadline),
    traceparent: Type.Optional({
      ...Traceparent,
      description:
        'The trace of the request that has led to the work. The agent sends it with its requests about the work',
    }),
  },
  { title: 'WorkItem' },
)

const WorkChoice = closed(
  {
    choice: enumOf(workChoices, {
      description:
        'Later, Now and NoAnswer: how the user answered. QuietHours, Presentation and ProgramsOpen: why the work began to wait. ProgramsClosed: the agent closed programs after the deadline.',
    }),
    user: nullable(text(255, 'mia', 'User who was asked; null if unknown')),
    programs: Type.Array(text(100, 'soffice.bin'), { maxItems: 20, description: 'Programs that were open, or closed' }),
    atUtc: { ...Instant, description: 'When, by the clock of the computer' },
  },
  { title: 'WorkChoice' },
)

export const WorkChoices = Type.Optional(
  Type.Array(WorkChoice, { maxItems: 20, description: 'What the user chose about the work item, oldest first' }),
)

export const WorkOffer = closed(
  {
    packageId: { ...Uuid, description: 'Id of the package' },
    name: text(255, 'Greeting', 'Name of the package'),
    version: text(100, '1.2.0', 'Version of the package'),
    untilUtc: nullable({ ...Instant, description: 'Until when the package is offered; null without a limit' }),
  },
  { title: 'WorkOffer', description: 'An optional package that the user may request' },
)
