import { closed, enumOf, Id, Instant, nullable, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { UserDeadline } from '../../distribution/api/user-deadline-schemas.ts'
import { distributionCommandNames } from '../../distribution/commands.ts'
import { groupPath } from '../../groups/group-path.ts'
import { blockerReasons } from '../../hand-out/blockers.ts'
import { orderReasons } from '../../hand-out/execution-order.ts'
import { ComputerPatchRuling } from '../../patches/api/ruling-schemas.ts'
import { PreDownloadOfWork } from '../../pre-downloads/api/schemas.ts'
import { cancelReasons } from '../../work-states/cancel-reasons.ts'
import { openWorkStates, type WorkKind } from '../../work-states/work-states.ts'
import { ExplainedNotice } from './notice-schemas.ts'
import { ExplainedRequirement, RequiringPackage } from './relation-schemas.ts'

export const subjectKinds = ['Package', 'Variable', 'Patch', 'OperatingSystem', 'AgentSetting'] as const

export const Verdict = enumOf(
  [
    'Installed',
    'Removed',
    'Applied',
    'NotAssigned',
    'NotActivated',
    'NothingToDo',
    'NotApplicable',
    'Waiting',
    'Due',
    'Running',
    'Failed',
  ],
  {
    title: 'ExplanationVerdict',
    description:
      'Whether the computer has it, lacks it or waits for it. Due: the agent gets it at its next contact. NothingToDo: it is assigned, but nothing follows from that. NotApplicable: it is assigned, but it is for other operating systems or another architecture.',
  },
)

/** Reasons that concern no work item of an agent. */
export const otherReasons = [
  'NotAssigned',
  'NotActivated',
  'RingNotReleased',
  'ComparisonPending',
  'WaveNeedsPerson',
  'WaveRefused',
  'NoScan',
  'NotApproved',
  'NoFixPackage',
  'NoFixWork',
  'NoOsImageSku',
  'NoPxeBootImage',
  'NoMacAddress',
  'NoPxeSupport',
  'NotApplicable',
  'Superseded',
] as const

export const BlockerReasonName = enumOf([...otherReasons, ...blockerReasons, ...orderReasons], {
  title: 'BlockerReason',
  description: 'What keeps it from the computer, for programs',
})

export const ExplainedBlocker = closed(
  {
    reason: BlockerReasonName,
    untilUtc: nullable({ ...Instant, description: 'When it ends by itself; null if somebody has to do something' }),
    packages: Type.Array(Type.String({ examples: ['Java Runtime'] }), {
      description: 'Names of the packages that have to come first',
    }),
    message: text(2000, 'The package is not Ready to Install.', 'The reason as a sentence for people'),
  },
  { title: 'ExplainedBlocker' },
)

export const ExplainedSource = closed(
  {
    kind: enumOf(
      [
        'Package',
        'LanguagePack',
        'SoftwareClass',
        'VariableConfiguration',
        'AgentTemplate',
        'OsImageSku',
        'PxeBootImage',
        'PmGroup',
        'ForcedGroupValue',
        'ComputerValue',
        'GroupValue',
        'PackageDefault',
        'CatalogDefault',
      ],
      { description: 'What brings it to the computer' },
    ),
    objectId: nullable(Type.String({ examples: ['17'], description: 'Id of what is assigned or has the value' })),
    objectName: nullable(text(255, 'Office tools', 'Name of what is assigned or has the value')),
    groupId: nullable({ ...Uuid, description: 'Group that has the assignment or the value' }),
    groupPath: nullable(groupPath('Path of that group')),
    through: Type.Array(Type.String({ examples: ['Configuration/Workstations/Berlin'] }), {
      description: 'Paths of the groups from that of the computer up to the group with the assignment',
    }),
    value: nullable(Type.String({ examples: ['60'], description: 'The value; null for packages and secret values' })),
    beatenBy: {
      ...nullable(
        enumOf(['NearerGroup', 'ConfigurationTree', 'PathOrder', 'OtherPath', 'PackageItself', 'HigherPrecedence']),
      ),
      description:
        'Why it does not take effect; null for the one that does. OtherPath: the same assignment, reached through another group.',
    },
  },
  { title: 'ExplainedSource' },
)

export type ExplainedSource = Static<typeof ExplainedSource>

export const ExplainedOptions = closed(
  {
    source: enumOf(['Package', 'Group', 'Default'], {
      description: 'Whether a group has these options for the package or for all its packages, or no group has any',
    }),
    groupId: nullable({ ...Uuid, description: 'Group that has the options' }),
    groupPath: nullable(groupPath('Path of that group')),
    commands: Type.Array(enumOf(distributionCommandNames, { title: 'DistributionCommand' })),
    schedule: text(500, 'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180', 'Empty: at any time'),
    revokeCount: Type.Integer({ examples: [3], description: 'How often the user may postpone it' }),
    revokeDateUtc: nullable({ ...Instant, description: 'Until when the user may postpone it' }),
    optionalDateUtc: nullable({ ...Instant, description: 'Until when an optional package is offered' }),
    wakeOnLan: Type.Boolean({ examples: [false], description: 'The computer is woken' }),
    userDeadline: nullable(UserDeadline),
    preDownload: Type.Boolean({
      examples: [false],
      description: 'Its files are downloaded before the schedule allows it',
    }),
  },
  {
    title: 'ExplainedOptions',
    description: 'The distribution options that are effective now; null if it is not assigned',
  },
)

const explainedKinds = [
  'Install',
  'Update',
  'Uninstall',
  'Reinstall',
  'Trial',
  'OperatingSystem',
] as const satisfies readonly WorkKind[]

export const ExplainedWork = closed(
  {
    workId: Type.Integer({ examples: [4711], description: 'Id of the work item' }),
    kind: enumOf(explainedKinds, { description: 'What is done with the package' }),
    state: enumOf(openWorkStates, { description: 'Leased: the agent has it' }),
    trackingId: { ...Uuid, description: 'Task to which it belongs' },
    createdUtc: { ...Instant, description: 'When it was created' },
    attempt: Type.Integer({ examples: [1], description: 'How often it was handed out' }),
    failures: Type.Integer({ examples: [0], description: 'How often it failed' }),
    postponements: Type.Integer({ examples: [0], description: 'How often the user postponed it' }),
    progress: nullable(Type.Integer({ examples: [40], description: 'Percent, as the agent reported it' })),
    schedule: text(500, '', 'The schedule that it follows: that of the last activation'),
    preDownload: nullable(PreDownloadOfWork),
  },
  { title: 'ExplainedWork', description: 'The open work item; null if there is none' },
)

const OtherVersion = closed(
  {
    packageId: { ...Uuid, description: 'The other package' },
    version: nullable(text(50, '3.1', 'Its version')),
    installed: Type.Boolean({ examples: [true], description: 'It is installed on the computer' }),
    assigned: Type.Boolean({ examples: [false], description: 'It is assigned to the computer' }),
  },
  { title: 'ExplainedOtherVersion' },
)

const RolloutOfComputer = closed(
  {
    rolloutId: Uuid,
    name: text(255, 'Browser 131.0', 'Name of the rollout'),
    state: enumOf(['Running', 'Paused', 'CatchingUp', 'Completed', 'Cancelled'], {
      description: 'State of the rollout',
    }),
    ring: Type.Integer({ minimum: 1, examples: [2], description: 'Number of the ring of the computer' }),
    ringName: text(255, 'Pilot', 'Name of the ring'),
    ringState: enumOf(['Waiting', 'Open', 'Done'], { description: 'State of the ring' }),
    releasedAtUtc: nullable({ ...Instant, description: 'When its work was created; null before' }),
  },
  { title: 'ExplainedRollout' },
)

export const ComputerExplanation = closed(
  {
    clientId: { ...Id, description: 'Id of the computer' },
    subject: closed(
      {
        kind: enumOf(subjectKinds, { description: 'What is explained' }),
        id: nullable(Type.String({ examples: ['17'], description: 'Its id; null without one' })),
        name: text(255, 'Office tools', 'Its name'),
        version: nullable(text(50, '3.2', 'Its version, if it has one')),
      },
      { title: 'ExplainedSubject' },
    ),
    verdict: Verdict,
    message: text(2000, 'It waits: the package is not Ready to Install.', 'The verdict as a sentence for people'),
    value: nullable(Type.String({ examples: ['60'], description: 'Value of a variable or setting; null if secret' })),
    nextRunUtc: {
      ...nullable(Instant),
      description:
        'When it is expected to run: at the first contact at which nothing keeps it from the computer. Null if that depends on ' +
        'somebody, if the agent is late, or if nothing is to run',
    },
    nextContactUtc: {
      ...nullable(Instant),
      description:
        'When the next contact of the agent is expected. A time in the past means that the agent is late; null without a contact',
    },
    connectedNow: Type.Boolean({
      examples: [true],
      description: 'True if the agent is connected: it is called as soon as there is work for it',
    }),
    blockers: Type.Array(ExplainedBlocker, {
      description:
        'Everything that keeps it from the computer now, in the order in which it will be resolved: first what somebody has to resolve, then what ends by itself. Empty if the agent gets it at its next contact.',
    }),
    sources: Type.Array(ExplainedSource, {
      description:
        'Assignments or values within reach of the computer, in the order of precedence: the first takes effect',
    }),
    options: nullable(ExplainedOptions),
    work: nullable(ExplainedWork),
    failure: nullable(
      closed(
        {
          failedUtc: nullable({ ...Instant, description: 'When it failed' }),
          errorText: nullable(text(4000, 'The command ended with the code 1603.', 'What the agent reported')),
        },
        { title: 'ExplainedFailure', description: 'The last result, if it was a failure' },
      ),
    ),
    cancellation: nullable(
      closed(
        {
          cancelledUtc: { ...Instant, description: 'When it was cancelled' },
          reason: enumOf(cancelReasons),
          subject: nullable(text(1_000, 'Tills', 'The name of the group that the reason is about, or a sentence')),
          message: text(1000, 'The computer left the group Tills.', 'The reason as a sentence'),
        },
        { title: 'ExplainedCancellation', description: 'Why the last work item was cancelled, if it was' },
      ),
    ),
    otherVersions: Type.Array(OtherVersion, {
      description: 'Packages with the same package name that are assigned or installed',
    }),
    requirements: Type.Array(ExplainedRequirement, {
      description: 'What the package requires directly; empty for other subjects',
    }),
    requiredBy: Type.Array(RequiringPackage, {
      description:
        'Assigned packages that pull it in, because they require it; empty if it is assigned itself or installed',
    }),
    rollouts: Type.Array(RolloutOfComputer, {
      description: 'Rollouts that have not ended and bring the package to the computer; empty for other subjects',
    }),
    ruling: nullable(
      closed(ComputerPatchRuling.properties, {
        title: 'ExplainedRuling',
        description:
          'What decides about a patch that the computer lacks, of its product versions the one that is closest to being released; null otherwise',
      }),
    ),
    notices: Type.Array(ExplainedNotice, {
      description: 'What does not stop the hand-out, but may delay the installation',
    }),
  },
  { title: 'ComputerExplanation' },
)

export type ComputerExplanation = Static<typeof ComputerExplanation>

type Relations = Pick<ComputerExplanation, 'requirements' | 'requiredBy'>

/** Without what follows from the contacts of the agent. Only packages have relations. */
export type Explanation = Omit<
  ComputerExplanation,
  'clientId' | 'nextRunUtc' | 'nextContactUtc' | 'connectedNow' | 'ruling' | keyof Relations
> & {
  relations?: Relations
  ruling?: ComputerExplanation['ruling']
  /** When nothing keeps it from the computer any more. */
  earliestRun: Date | null
}

export type ExplainedBlocker = Static<typeof ExplainedBlocker>
