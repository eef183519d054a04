import {
  closed,
  enumOf,
  Id,
  Instant,
  Int32,
  nameText,
  nullable,
  patchOf,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'
import { groupPath } from '../../groups/group-path.ts'
import { PatchSeveritySchema } from '../../patches/api/ruling-schemas.ts'
import { DateOnly } from '../../patches/api/schemas.ts'
import { PatchTypeSchema } from '../../patches/patch-type-schemas.ts'
import { ruleActions } from '../../patches/policies/patch-rules.ts'
import { PatchRestart, RequestedRestart } from './restart-schemas.ts'
import { PatchRingSchema, RequestedRings } from './ring-schemas.ts'

const maxRules = 50
const maxValues = 50

const anyOf = (example: string, description: string) =>
  Type.Optional(
    Type.Array(text(255, example), { minItems: 1, maxItems: maxValues, examples: [[example]], description }),
  )

const days = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650, examples: [example], description }))

const minScore = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 10, examples: [7.5], description }))

export const PatchRuleSchema = closed(
  {
    name: nameText(100, 'Critical after 2 days', 'What people call the rule. Explanations quote it.'),
    action: enumOf(ruleActions, {
      title: 'PatchRuleAction',
      description:
        'Approve: the patch is released some days after its release. Review: it is released once a person approves it. Decline: no ' +
        'patch policy releases it, not even another one of the computer.',
    }),
    afterDays: days('Approve: how many days after its release; 0 by default', 2),
    severities: Type.Optional(
      Type.Array(PatchSeveritySchema, { minItems: 1, examples: [['Critical']], description: 'Vendor severities' }),
    ),
    types: Type.Optional(
      Type.Array(PatchTypeSchema, { minItems: 1, examples: [['SecurityPatch']], description: 'Types of patches' }),
    ),
    products: anyOf('Windows 11*', 'Names of product versions'),
    vendors: anyOf('Example*', 'Vendors of products'),
    titles: anyOf('*Preview*', 'Names of patches, or titles of their bulletins'),
    minCvssScore: minScore('Least CVSS score'),
    minVrrScore: minScore('Least vulnerability risk rating'),
    minAgeDays: days('Days since the release, at least', 30),
    maxAgeDays: days('Days since the release, at most', 365),
    exploited: Type.Optional(
      Type.Boolean({
        examples: [true],
        description: 'Whether a document says that a vulnerability is exploited that the patch fixes',
      }),
    ),
    unconfirmed: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'Also patches that no catalog and no advisory names. What is known about them is what the first computer reported; their ' +
          'age counts from then. False by default',
      }),
    ),
  },
  {
    title: 'PatchRule',
    description:
      'A patch matches if it meets all conditions; a rule without conditions matches all patches. Of several values of one ' +
      'condition, one is enough. In products, vendors and titles, `*` is any text and `?` any character; case does not matter. ' +
      'The age counts in days of 24 hours from 00:00 UTC of the day of the release, or from when the patch became known.',
  },
)

const Rules = Type.Array(PatchRuleSchema, {
  minItems: 1,
  maxItems: maxRules,
  description: 'The first rule that matches a patch decides about it',
})

const Name = nameText(255, 'Workstations', 'Not empty or blank. Unique, regardless of case.')
const Description = text(1_000, 'What workstations get without anybody')
const Priority = {
  ...Int32,
  minimum: 1,
  maximum: 1_000,
  examples: [100],
  description: 'Of several policies of a computer, the lowest number decides first; of equals, the nearest group',
}

const count = (description: string, example = 3) => ({ ...Int32, minimum: 0, examples: [example], description })

const policyProperties = {
  id: Id,
  name: Type.String({ examples: ['Workstations'] }),
  description: Description,
  priority: Priority,
  rules: Rules,
  rings: Type.Array(PatchRingSchema, { description: 'Empty: it releases to all computers at once' }),
  restart: nullable(PatchRestart),
  assignmentCount: count('Groups to which it is assigned'),
  changedAtUtc: Instant,
}

export const PatchPolicy = closed(policyProperties, { title: 'PatchPolicy' })

export const PatchPolicyPath = closed({ id: Id })

export const CreatePatchPolicyRequest = closed(
  {
    name: Name,
    description: Type.Optional(Description),
    priority: Type.Optional({ ...Priority, default: 100 }),
    rules: Rules,
    rings: Type.Optional(RequestedRings),
    restart: Type.Optional(nullable(RequestedRestart)),
  },
  { title: 'CreatePatchPolicyRequest' },
)

export const UpdatePatchPolicyRequest = patchOf(
  {
    name: Name,
    description: { ...Description, description: 'An empty text clears the description' },
    priority: Priority,
    rules: { ...Rules, description: 'All rules, in their order. They replace the present ones' },
    rings: {
      ...RequestedRings,
      description: 'All rings, in their order. They replace the present ones; none: no rings',
    },
    restart: RequestedRestart,
  },
  { title: 'UpdatePatchPolicyRequest' },
)

export const PatchPolicyAssignment = closed(
  {
    policyId: Id,
    groupId: Uuid,
    groupPath: groupPath('Path of the group'),
    computerCount: count('Computers in the group and below it', 240),
    assignedUtc: Instant,
  },
  { title: 'PatchPolicyAssignment' },
)

export const AssignPatchPolicyRequest = closed(
  { groupId: { ...Uuid, description: 'Id of a configuration group or assignment group' } },
  { title: 'AssignPatchPolicyRequest' },
)

export const EffectivePatchPolicy = closed(
  {
    policyId: Id,
    policyName: Type.String({ examples: ['Workstations'] }),
    priority: Priority,
    ruleCount: count('Rules of the policy'),
    groupId: { ...Uuid, description: 'The group that assigns it' },
    groupPath: groupPath('Path of that group'),
    distance: count('Levels up to that group', 1),
  },
  { title: 'EffectivePatchPolicy' },
)

export const RehearsePatchRulesRequest = closed(
  {
    rules: Rules,
    groupId: Type.Optional(
      nullable({ ...Uuid, description: 'Only computers in this group and below it; all computers by default' }),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, default: 90, examples: [90], description: 'How many days back' }),
    ),
  },
  { title: 'RehearsePatchRulesRequest' },
)

const computers = (description: string, example: number) => count(`${description}. An estimate if isEstimate`, example)

export const PatchRulesRehearsal = closed(
  {
    days: Type.Array(
      closed(
        {
          day: { ...DateOnly, description: 'Day in UTC' },
          patchCount: count('Patches that the rules would have approved on this day', 4),
          computerCount: computers('Computers whose last scan names one of them, missing or installed', 240),
          lackingCount: computers('Those of them that lack one of them today', 12),
        },
        { title: 'RehearsedDay' },
      ),
      { description: 'The days with an approval, the first one first' },
    ),
    patchCount: count('Patches that the rules would have approved in this time, each for a product version', 40),
    computerCount: computers('Computers whose last scan names one of them', 310),
    lackingCount: computers('Those of them that lack one of them today', 25),
    scannedComputers: count('Computers with a patch scan', 500),
    isEstimate: Type.Boolean({
      examples: [false],
      description: 'Whether the numbers of computers are estimates from a sample, because there are many computers',
    }),
    rules: Type.Array(
      closed(
        {
          number: { ...Int32, minimum: 1, examples: [1], description: 'Place of the rule, from 1' },
          patchCount: count('Patches released in this time that the rule decides about', 12),
        },
        { title: 'RehearsedRule' },
      ),
      { description: 'All rules in their order' },
    ),
    undecidedCount: count('Patches released in this time that no rule matches', 7),
    patches: Type.Array(
      closed(
        {
          patchId: Id,
          patchName: Type.String({ examples: ['openssl 3.0.16-1~deb12u1'] }),
          productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
          severity: PatchSeveritySchema,
          ruleNumber: { ...Int32, minimum: 1, examples: [1] },
          approvedUtc: { ...Instant, description: 'When the rule would have approved it' },
        },
        { title: 'RehearsedPatch' },
      ),
      { description: 'The last 100 of them, the latest first' },
    ),
  },
  { title: 'PatchRulesRehearsal' },
)
