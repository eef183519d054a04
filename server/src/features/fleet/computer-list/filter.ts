import { type RawBuilder, sql } from 'kysely'
import { enumOf, Type, text, Uuid } from '../../../platform/schema.ts'
import { type AgentStatus, agentStatuses } from '../../agents/agent-status.ts'
import { type ConnectionState, connectionStates } from '../../computers/connected-now.ts'
import { type HealthStatus, healthStatuses } from '../../issues/computer-health.ts'
import { type IssueName, issueNames } from '../../issues/issues.ts'
import { type MissingSeverity, missingSeverities, type PatchAge, patchAges } from '../../issues/patch-states.ts'
import { type ContactAge, contactAges } from '../../issues/states/record-computer-states.ts'
import { type SoftwareFilter, softwareFilters } from '../software/find-products.ts'

const maxValues = 50

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
  groupId?: string[]
}

/** The properties by which computers are counted. Each has a parameter of the same name. */
export type Facet = Exclude<keyof ComputerFilter, 'search' | 'groupId' | keyof SoftwareFilter>

const facetConditions: { [F in Facet]: (values: NonNullable<ComputerFilter[F]>) => RawBuilder<boolean> } = {
  operatingSystem: (values) => sql`coalesce(summary.operating_system, '') = any (${values}::text[])`,
  healthStatus: (values) => sql`summary.health_status = any (${values}::text[])`,
  agentStatus: (values) => sql`summary.agent_status = any (${values}::text[])`,
  lastContact: (values) => sql`summary.contact_age = any (${values}::text[])`,
  connection: (values) => sql`summary.connection = any (${values}::text[])`,
  issue: (values) => sql`summary.issues && ${values}::text[]`,
  patchAge: (values) => sql`summary.patch_age = any (${values}::text[])`,
  missingSeverity: (values) => sql`summary.missing_severity = any (${values}::text[])`,
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
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/**
 * Whether the computer of a row `summary` is a direct member of one of the groups. `is true` keeps the planner from making
 * a join of it: with statistics that say that the tables are empty, it would compare each computer with each member.
 * As it is, the members are read once into a hash table.
 */
export function isMember({ groupId }: ComputerFilter): RawBuilder<boolean> {
  if (!groupId) return sql<boolean>`true`
  return sql<boolean>`(summary.computer_id in (
    select computer_id from group_computers where group_id = any (${groupId}::uuid[]))) is true`
}

/** Whether a query selects computers. Its other parameters, such as those of the page, do not count. */
export function hasFilter(query: ComputerFilter): boolean {
  return hasExpensiveFilter(query) || facets.some((facet) => query[facet] !== undefined)
}

/** Whether finding the selected computers costs more than to read and check each row `summary`. */
export function hasExpensiveFilter({ search, groupId, software }: ComputerFilter): boolean {
  return Boolean(search?.trim()) || groupId !== undefined || software !== undefined
}
