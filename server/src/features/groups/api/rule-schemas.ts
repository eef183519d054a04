import { closed, enumOf, Instant, Int32, nullable, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { ReportedPropertiesWarning } from '../rules/rule-warning.ts'

const maxValues = 50

const anyOf = (maxLength: number, example: string, description: string) =>
  Type.Optional(
    Type.Array(text(maxLength, example), { minItems: 1, maxItems: maxValues, examples: [[example]], description }),
  )

/** The properties by which a rule selects computers. They change with the computer, not with the work on it. */
export const GroupRuleCriteria = Type.Object(
  {
    names: anyOf(255, 'till-*', 'Names of computers'),
    domains: anyOf(255, '*.example.org', 'Domains or workgroups'),
    operatingSystems: anyOf(511, 'Windows 11*', 'Operating systems; an empty text selects unknown ones'),
    models: anyOf(255, 'Latitude 5*', 'Models; an empty text selects unknown ones'),
    networks: Type.Optional(
      Type.Array(Type.String({ maxLength: 50, pattern: '^[\\da-fA-F:.]+(/\\d{1,3})?$', examples: ['192.0.2.0/24'] }), {
        minItems: 1,
        maxItems: maxValues,
        examples: [['192.0.2.0/24']],
        description: 'Networks (CIDR) of the IP address',
      }),
    ),
    tags: anyOf(50, 'site:Berlin', 'Tags of computers'),
  },
  {
    title: 'GroupRuleCriteria',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ names: ['till-*'], networks: ['192.0.2.0/24'] }],
    description:
      'A computer matches if it has one of the values of each property that is given. In all but networks, `*` is any text and ' +
      '`?` any character; case does not matter.',
  },
)

export type RuleCriteria = Static<typeof GroupRuleCriteria>

export const defaultMaxChangesPerHour = 100

export const MaxChangesPerHour = {
  ...Int32,
  minimum: 0,
  maximum: 1_000_000,
  examples: [100],
  description:
    'How many computers may join and leave within an hour because they have changed; one that does so several times is one ' +
    'computer. If there are more, the rule stops until it is set again',
}

const count = (description: string, example = 2) => ({ ...Int32, minimum: 0, examples: [example], description })

const ruleProperties = {
  groupId: Uuid,
  state: enumOf(['None', 'Active', 'Stopped'], {
    title: 'GroupRuleState',
    description: 'None without a rule; Stopped if more computers would have joined or left than the rule allows',
  }),
  criteria: nullable(GroupRuleCriteria),
  maxChangesPerHour: nullable(MaxChangesPerHour),
  stoppedAtUtc: nullable({ ...Instant, description: 'When the rule stopped' }),
  joining: nullable(count('Computers that would have joined when it stopped')),
  leaving: nullable(count('Computers that would have left when it stopped')),
  membersByRule: count('Members that the rule has added', 40),
  excludedComputers: count('Computers that people have removed and that the rule does not add again', 0),
  restlessComputers: count(
    'Computers that have joined and left several times within the hour, because what they report keeps changing. They stay ' +
      'where they are until the hour is over',
    0,
  ),
  warning: ReportedPropertiesWarning,
}

export const GroupRule = closed(ruleProperties, { title: 'GroupRule' })

export const SetGroupRuleRequest = closed(
  {
    criteria: GroupRuleCriteria,
    maxChangesPerHour: Type.Optional({ ...MaxChangesPerHour, default: defaultMaxChangesPerHour }),
  },
  { title: 'SetGroupRuleRequest' },
)

/** How many names of computers are shown. */
export const maxShownNames = 20

const names = (description: string) =>
  Type.Array(text(255, 'till-017'), {
    maxItems: maxShownNames,
    examples: [['till-017']],
    description: `${description}. Empty without the role computer.read.`,
  })

export const SetGroupRuleResult = closed(
  {
    ...ruleProperties,
    joined: count('Computers that have joined'),
    left: count('Computers that have left', 0),
    inOtherConfigurationGroup: count('Computers that match and stay in another configuration group', 0),
    joinedNames: names(`The first ${maxShownNames} of those that have joined, by name`),
    leftNames: names(`The first ${maxShownNames} of those that have left, by name`),
  },
  { title: 'SetGroupRuleResult' },
)
