import type { TObject, TProperties } from '@sinclair/typebox'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '../../platform/schema.ts'

export type Thresholds<T extends TProperties> = Partial<Static<TObject<T>>>

/** One thing that is wrong with a computer, for example one drive that is nearly full. */
export type Occurrence = { computer_id: number }

/** References to the columns of the occurrences that a statement aggregates. */
export type OccurrenceColumns<O extends Occurrence> = { readonly [K in keyof O]: RawBuilder<O[K]> }

/** What computers with an issue may have in common. It says what the id of a cause identifies. */
export const causeKinds = ['Volume', 'Model', 'RestartSource', 'Package', 'Patch', 'Group', 'SuspensionMode'] as const

export type CauseKind = (typeof causeKinds)[number]

/**
 * Something that can be wrong with a computer. The sweep over the fleet, the overview and the view of one computer are
 * all derived from this one declaration. They cannot disagree.
 */
export type Issue<
  N extends string = string,
  T extends TProperties = TProperties,
  O extends Occurrence = Occurrence,
  P extends TProperties = TProperties,
> = {
  name: N
  /** Query parameters that decide what counts as an occurrence. All are optional and have defaults. */
  thresholds: T
  /** Selects one row per occurrence on any computer. */
  occurrences(thresholds: Thresholds<T>): RawBuilder<O>
  /** How many occurrences make the issue; 1 by default. */
  minOccurrences?(thresholds: Thresholds<T>): number
  /** Schemas of the properties that an answer shows of a computer with the issue. */
  properties: P
  /** The values of these properties: SQL aggregates over the occurrences on the computer `computerId`. */
  values(column: OccurrenceColumns<O>, computerId: RawBuilder<number>): { [K in keyof P]: RawBuilder<unknown> }
  /** A short text for people: an SQL aggregate like `values`. */
  detail(column: OccurrenceColumns<O>): RawBuilder<string>
  /** What several computers with the issue may have in common: SQL over one occurrence, null if it is unknown. */
  cause: { kind: CauseKind; id(column: OccurrenceColumns<O>): RawBuilder<unknown> }
}

export const issue = <const N extends string, T extends TProperties, O extends Occurrence, P extends TProperties>(
  declaration: Issue<N, T, O, P>,
) => declaration

/** The configuration group of a computer, of which it has one at most. */
export const configurationGroupOf = (computerId: RawBuilder<number>) => sql<string | null>`(
  select group_id from effective_memberships
  where computer_id = ${computerId} and tree = 'ConfigurationGroups'
  limit 1)`

/** Selects the computers that have the issue, among all computers or those in `scope`. */
export function affectedComputers<T extends TProperties>(
  { occurrences, minOccurrences }: Issue<string, T>,
  thresholds: Thresholds<T>,
  scope?: RawBuilder<{ computer_id: number }>,
): RawBuilder<{ computer_id: number }> {
  const minCount = minOccurrences?.(thresholds) ?? 1
  return sql<{ computer_id: number }>`
    select occurrence.computer_id from (${occurrences(thresholds)}) as occurrence
    ${scope ? sql`where occurrence.computer_id in (${scope})` : sql``}
    group by occurrence.computer_id ${minCount > 1 ? sql`having count(*) >= ${minCount}` : sql``}`
}

/** Whether the computer has the issue. `computerId` is the column of the surrounding query that has its id. */
export function hasIssue<T extends TProperties>(
  { occurrences, minOccurrences }: Issue<string, T>,
  thresholds: Thresholds<T>,
  computerId: string,
): RawBuilder<boolean> {
  const minCount = minOccurrences?.(thresholds) ?? 1
  return sql<boolean>`exists (
    select from (${occurrences(thresholds)}) as occurrence where occurrence.computer_id = ${sql.ref(computerId)}
    ${minCount > 1 ? sql`having count(*) >= ${minCount}` : sql``})`
}

/** An issue found on a computer. Includes the properties of the issue on request. */
export type IssueFinding = { issue: string; count: number; detail: string } & Record<string, unknown>

type FindingOptions = {
  /** The column of the surrounding query that has the id of the computer. */
  computerId: string
  /** Whether the finding includes the properties of the issue. */
  withProperties: boolean
}

/** The finding on one computer as JSON; null if the computer does not have the issue. */
export function issueFinding<T extends TProperties>(
  { name, occurrences, minOccurrences, values, detail }: Issue<string, T>,
  thresholds: Thresholds<T>,
  { computerId, withProperties }: FindingOptions,
): RawBuilder<IssueFinding | null> {
  const id = sql.ref<number>(computerId)
  const column = columnsOf('occurrence')
  const properties = withProperties
    ? Object.entries(values(column, id)).map(([key, value]) => sql`, ${sql.lit(key)}, ${value}`)
    : []
  return sql<IssueFinding | null>`(
    select jsonb_build_object('issue', ${sql.lit(name)}, 'count', count(*), 'detail', ${detail(column)}
      ${sql.join(properties, sql``)})
    from (${occurrences(thresholds)}) as occurrence where occurrence.computer_id = ${id}
    having count(*) >= ${minOccurrences?.(thresholds) ?? 1})`
}

/** References any column of the rows with the alias `table`; which columns exist is known to the type only. */
export const columnsOf = <O extends Occurrence>(table: string) =>
  new Proxy({} as OccurrenceColumns<O>, { get: (_, column) => sql.ref(`${table}.${String(column)}`) })
