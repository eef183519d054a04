import { closed, enumOf, Int32, nullable, type Static, Type, text } from '../../../../platform/schema.ts'
import { stateSectionNames } from '../../desired-state/section-names.ts'
import { DesiredState } from './document-schemas.ts'

const prune = Type.Optional(
  Type.Boolean({
    default: false,
    examples: [false],
    description:
      'Also remove the objects that the sections of the document do not list. What every installation has, packages and computers are never removed',
  }),
)

export const StatePlanRequest = closed({ state: DesiredState, prune }, { title: 'StatePlanRequest' })

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [1], description })

export const ApplyStateRequest = closed(
  {
    state: DesiredState,
    prune,
    plan: Type.Array(Type.String({ pattern: '^[\\da-f]{32}$' }), {
      maxItems: 1_000_000,
      examples: [[]],
      description: 'The fingerprints of all changes of the plan. Only these changes are made',
    }),
    expectedRemovals: Type.Optional({
      ...count('How many objects the plan removes. Required if there are any'),
      examples: [0],
    }),
    secrets: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { ...text(65_536, 'a secret'), writeOnly: true },
        maxProperties: 10_000,
        examples: [{ 'env:PRINT_PASSWORD': 'a secret' }],
        description:
          'Values of the secrets, by their references in the document. Only those that the plan lists are needed',
      }),
    ),
    maxSteps: Type.Optional({
      ...Int32,
      minimum: 1,
      maximum: 1000,
      default: 200,
      examples: [200],
      description: 'How many steps to make. Repeat the request while `remaining` is not 0',
    }),
  },
  { title: 'ApplyStateRequest' },
)

const shownValue = nullable(text(100_000, 'print02', 'As a text; null if there is none'))

const StateChange = closed(
  {
    section: enumOf(stateSectionNames, { title: 'StateSection' }),
    name: Type.String({ examples: ['Configuration/Workstations ← Printing.Server'] }),
    action: enumOf(['add', 'change', 'remove']),
    fields: Type.Array(
      closed(
        { field: Type.String({ examples: ['value'] }), before: shownValue, after: shownValue },
        { title: 'StateFieldChange' },
      ),
      { description: 'The fields that change; of an object that is added or removed, those that are set' },
    ),
    operations: Type.Array(Type.String(), {
      examples: [['setGroupVariable']],
      description: 'The operations that make the change. It requires their roles',
    }),
    computers: count(
      'Computers in and below the groups that the change is about; with a rule, those that join or leave',
    ),
    members: nullable(
      closed(
        {
          joining: count('Computers that would join the group now'),
          leaving: count('Computers that would leave it now'),
        },
        {
          title: 'StateMembers',
          description: 'For the rule of a group; null for other changes, and without the role computer.read',
        },
      ),
    ),
    blockers: Type.Array(Type.String(), {
      examples: [[]],
      description: 'What prevents the change. applyDesiredState answers 409 if any change has a blocker',
    }),
    fingerprint: Type.String({ examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
  },
  { title: 'StateChange' },
)

export const StatePlan = closed(
  {
    added: count('Objects to add'),
    changed: count('Objects to change'),
    removed: count('Objects to remove'),
    changes: Type.Array(StateChange, { description: 'In the order in which they are made' }),
    secrets: Type.Array(Type.String(), {
      examples: [['env:PRINT_PASSWORD']],
      description: 'References of the secrets that the changes need',
    }),
    missingRoles: Type.Array(Type.String(), {
      examples: [[]],
      description: 'Roles that the caller does not have and that the changes require',
    }),
  },
  { title: 'StatePlan' },
)

export type StatePlan = Static<typeof StatePlan>

const StateWork = closed(
  {
    group: Type.String({ examples: ['Configuration/Workstations'] }),
    computers: count('Computers in the group and below it'),
    workItems: nullable(
      count('Work items that an activation of its software would now create; null if they are too many to count'),
    ),
  },
  { title: 'StateWork' },
)

export const AppliedState = closed(
  {
    applied: count('Changes that this request has made'),
    remaining: {
      ...count('Changes of the plan that are left, because of `maxSteps` or because a dry run took too long'),
      examples: [0],
    },
    work: nullable(
      Type.Array(StateWork, {
        description:
          'In a dry run: the work that an activation of the changed groups would create. Null otherwise, and without the role activation.execute',
      }),
    ),
  },
  { title: 'AppliedState' },
)
