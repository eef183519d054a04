import { type RawBuilder, sql } from 'kysely'
import { enumOf, Type, text, Uuid } from '../../../platform/schema.ts'
import { type AgentStatus, agentStatuses } from '../../agents/agent-status.ts'
import { type ConnectionState, connectionStates } from '../../computers/connected-now.ts'
import { customFieldSlot } from '../../custom-fields/custom-field-rows.ts'
import { type HealthStatus, healthStatuses } from '../../issues/computer-health.ts'
import { type IssueName, issueNames } from '../../issues/issues.ts'
import { type MissingSeverity, missingSeverities, type PatchAge, patchAges } from '../../issues/patch-states.ts'
import { type NextContact, nextContacts } from '../../issues/states/next-contact.ts'
import { type ContactAge, contactAges } from '../../issues/states/record-computer-states.ts'
import { type SoftwareFilter, softwareFilters } from '../software/find-products.ts'

const maxValues = 50

/** A value of a custom field has at most 255 characters; its slot and the sign come before it. */
const maxFieldValue = 300

const anyOf = <S extends Parameters<typeof Type.Array>[0]>(value: S, example: string, description: string) =>
  Type.Optional(Type.Array(value, { maxItems: maxValues, examples: [[example]], description }))

/** The query parameters that select computers. A repeated parameter selects those with any of its values. */
export const computerFilters = {
  search: Type.Optional(
    text(
      255,
      'till 192.0.2',
      'Words separated by spaces. Each must occur, regardless of case, in the name, serial number, user, IP or MAC ' +
        'address of the computer or, if it has at least three characters, in the name of software installed on it.',
    ),
  ),
  operatingSystem: anyOf(
    text(511, 'Windows 11 Enterprise'),
    'Windows 11 Enterprise',
    'Only computers with one of these operating systems; an empty text selects those whose system is unknown',
  ),
  healthStatus: anyOf(enumOf(healthStatuses), 'Warning', 'Only computers with one of these health states'),
  agentStatus: anyOf(enumOf(agentStatuses), 'Silent', 'Only computers whose agent has one of these states'),
  lastContact: anyOf(
    enumOf(contactAges),
    'Week',
    'Only computers by the age of their last contact: within a day, longer but within a week (7 days), longer but within ' +
      'a month (30 days), older, or never',
  ),
  connection: anyOf(
    enumOf(connectionStates),
    'Connected',
    'Only computers whose agent was connected, or not, when the fleet was last counted',
  ),
  issue: anyOf(enumOf(issueNames), 'low-disk', 'Only computers with one of these issues'),
  patchAge: anyOf(
    enumOf(patchAges),
    'Older',
    'Only computers whose oldest missing security patch has this age: up to 7, 30 or 90 days, or longer; ' +
      'NoneMissing if they miss none, NotScanned if patches were never scanned',
  ),
  missingSeverity: anyOf(
    enumOf(missingSeverities),
    'Critical',
    'Only computers whose most severe missing patch has one of these severities; None if they miss no patch',
  ),
  nextContact: anyOf(
    enumOf(nextContacts),
    'Overdue',
    'Only computers by the next contact of their agents, as expected when the fleet was last counted: when the agent is called, ' +
      'because it is connected; overdue; within an hour, longer but within a day, later; or none, because there was none yet',
  ),
  osVersion: anyOf(
    text(255, '10.0.26100'),
    '10.0.26100',
    'Only computers with one of these versions of the operating system; an empty text selects those whose version is unknown',
  ),
  model: anyOf(
    text(255, 'Latitude 7440'),
    'Latitude 7440',
    'Only computers of one of these models; an empty text selects those whose model is unknown',
  ),
  tag: anyOf(text(255, 'Berlin'), 'Berlin', 'Only computers with one of these tags, regardless of case'),
  customField: anyOf(
    Type.String({ pattern: `^${customFieldSlot}=`, maxLength: maxFieldValue }),
    'Custom01=Room 4.17',
    'Only computers with one of these values of a custom field: its slot, an equals sign, and the value. Nothing after the sign ' +
      'selects those without a value. Fields combine with AND.',
  ),
  groupId: anyOf(Uuid, '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Only direct members of one of these groups'),
  ...softwareFilters,
}

export type ComputerFilter = SoftwareFilter & {
  search?: string
  operatingSystem?: string[]
  healthStatus?: HealthStatus[]
  agentStatus?: AgentStatus[]
  lastContact?: ContactAge[]
  connection?: ConnectionState[]
  issue?: IssueName[]
  patchAge?: PatchAge[]
  missingSeverity?: MissingSeverity[]
  nextContact?: NextContact[]
  osVersion?: string[]
  model?: string[]
  tag?: string[]
  customField?: string[]
  groupId?: string[]
}

/** Filters by properties with many values, which are counted when somebody wants to see them. */
export const propertyFilters = ['osVersion', 'model', 'tag', 'customField'] as const

export type PropertyFilter = (typeof propertyFilters)[number]

/** The properties by which computers are counted. Each has a parameter of the same name. */
export type Facet = Exclude<keyof ComputerFilter, 'search' | 'groupId' | PropertyFilter | keyof SoftwareFilter>

const facetConditions: { [F in Facet]: (values: NonNullable<ComputerFilter[F]>) => RawBuilder<boolean> } = {
  operatingSystem: (values) => sql`coalesce(summary.operating_system, '') = any (${values}::text[])`,
  healthStatus: (values) => sql`summary.health_status = any (${values}::text[])`,
  agentStatus: (values) => sql`summary.agent_status = any (${values}::text[])`,
  lastContact: (values) => sql`summary.contact_age = any (${values}::text[])`,
  connection: (values) => sql`summary.connection = any (${values}::text[])`,
  issue: (values) => sql`summary.issues && ${values}::text[]`,
  patchAge: (values) => sql`summary.patch_age = any (${values}::text[])`,
  missingSeverity: (values) => sql`summary.missing_severity = any (${values}::text[])`,
  nextContact: (values) => sql`summary.next_contact = any (${values}::text[])`,
}

export const facets = Object.keys(facetConditions) as Facet[]

/** Whether a row `summary` passes all facets of the filter except one. */
export function matchesFacets(filter: ComputerFilter, except?: Facet): RawBuilder<boolean> {
  const conditions = facets
    .filter((facet) => facet !== except)
    .flatMap((facet) => {
      const values = filter[facet]
      return values ? [(facetConditions[facet] as (values: string[]) => RawBuilder<boolean>)(values)] : []
    })
  return and(conditions)
}

/**
 * Whether the computer of a row `summary` is selected by this query. `is true` keeps the planner from making a join of it: with
 * statistics that say that the tables are empty, it would compare each computer with each row. As it is, the rows are read once into
 * a hash table.
 */
const isAmong = (computerIds: RawBuilder<unknown>) => sql<boolean>`(summary.computer_id in (${computerIds})) is true`

type BeyondFacets = 'groupId' | PropertyFilter

const conditionsBeyondFacets: Record<BeyondFacets, (values: string[]) => RawBuilder<boolean>> = {
  groupId: (values) => isAmong(sql`select computer_id from group_computers where group_id = any (${values}::uuid[])`),
  osVersion: (values) => sql`coalesce(summary.os_version, '') = any (${values}::text[])`,
  model: (values) => sql`coalesce(summary.model, '') = any (${values}::text[])`,
  tag: (values) =>
    isAmong(sql`
      select computer_id from computer_tags
      where tag_id = any (array(select id from tags where lower(designation) = any (
        select lower(wanted) from unnest(${values}::text[]) as wanted)))`),
  customField: (values) => {
    const fields = Map.groupBy(values.map(parseFieldValue), ({ slot }) => slot)
    return and(
      [...fields].map(([slot, wanted]) =>
        hasFieldValue(
          slot,
          wanted.map(({ value }) => value),
        ),
      ),
    )
  },
}

const namesBeyondFacets = Object.keys(conditionsBeyondFacets) as BeyondFacets[]

const and = (conditions: readonly RawBuilder<boolean>[]) =>
  sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`

/** A value of the parameter `customField`. */
function parseFieldValue(text: string): { slot: string; value: string } {
  const sign = text.indexOf('=')
  return { slot: text.slice(0, sign), value: text.slice(sign + 1) }
}

/** Inactive fields are hidden: no computer has a value of one. */
function hasFieldValue(slot: string, values: readonly string[]): RawBuilder<boolean> {
  const isActive = sql`exists (select from custom_fields field where field.slot = ${slot} and field.is_active)`
  const computersWith = (condition: RawBuilder<unknown>) =>
    isAmong(sql`
    select id from computers where custom <> '{}' and ${condition} and ${isActive}`)
  const wanted = values
    .filter((value) => value !== '')
    .map((value) => sql`custom @> ${JSON.stringify({ [slot]: value })}::jsonb`)
  const alternatives = [
    ...(wanted.length > 0 ? [computersWith(sql`(${sql.join(wanted, sql` or `)})`)] : []),
    ...(values.includes('') ? [sql<boolean>`not ${computersWith(sql`custom ? ${slot}`)}`] : []),
  ]
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`
}

/** Whether a row `summary` passes what is not among the facets. */
export function matchesBeyondFacets(filter: ComputerFilter): RawBuilder<boolean> {
  return and(
    namesBeyondFacets.flatMap((name) => {
      const values = filter[name]
      return values ? [conditionsBeyondFacets[name](values)] : []
    }),
  )
}

/** Whether a query selects computers. Its other parameters, such as those of the page, do not count. */
export function hasFilter(query: ComputerFilter): boolean {
  return !hasOnlyFacets(query) || facets.some((facet) => query[facet] !== undefined)
}

/** Whether a query selects computers by nothing but what the fleet is counted by. */
export function hasOnlyFacets(query: ComputerFilter): boolean {
  return !hasExpensiveFilter(query) && query.osVersion === undefined && query.model === undefined
}

/** Whether finding the selected computers costs more than to read and check each row `summary`. */
export function hasExpensiveFilter({ search, groupId, software, tag, customField }: ComputerFilter): boolean {
  return Boolean(search?.trim()) || [groupId, software, tag, customField].some((filter) => filter !== undefined)
}
