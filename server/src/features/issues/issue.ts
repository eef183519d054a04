import type { TObject, TProperties } from '@sinclair/typebox'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '../../platform/schema.ts'

export type Thresholds<T extends TProperties> = Partial<Static<TObject<T>>>

/**
 * Something that can be wrong with a computer. The sweep over the fleet, the overview and the view of one computer all
 * come out of this one declaration, so that they cannot disagree.
 */
export type Issue<
  N extends string = string,
  T extends TProperties = TProperties,
  S extends TProperties = TProperties,
> = {
  name: N
  /** Query parameters that change what is looked for. Without them, their defaults hold. */
  thresholds: T
  /** One row for each thing that is wrong: `computer_id`, and whatever `show` and `detail` speak of. */
  findings(thresholds: Thresholds<T>): RawBuilder<unknown>
  /** How many of them on a computer make the issue, where one is not enough. */
  fewest?(thresholds: Thresholds<T>): number
  /** What a computer with the issue has beside its own properties. */
  shape: S
  /** That, as aggregates over the findings (`found`) of one row of `computers`. */
  show: { [K in keyof S]: RawBuilder<unknown> }
  /** Likewise, the findings in a few words. */
  detail: RawBuilder<string>
}

export const issue = <const N extends string, T extends TProperties, S extends TProperties>(declared: Issue<N, T, S>) =>
  declared

/** Selects `computer_id` of the computers that have the issue, of all or of those that `scope` selects. */
export function affectedBy<T extends TProperties>(
  { findings, fewest }: Issue<string, T>,
  thresholds: Thresholds<T>,
  scope?: RawBuilder<unknown>,
): RawBuilder<{ computer_id: number }> {
  const least = fewest?.(thresholds) ?? 1
  return sql<{ computer_id: number }>`
    select found.computer_id from (${findings(thresholds)}) as found
    ${scope ? sql`where found.computer_id in (${scope})` : sql``}
    group by found.computer_id ${least > 1 ? sql`having count(*) >= ${least}` : sql``}`
}

export type Told = { issue: string; count: number; detail: string } & Record<string, unknown>

/** What is found on one row of `computers`, as JSON; null for a computer that does not have the issue. */
export function toldAbout<T extends TProperties>(
  { name, findings, fewest, show, detail }: Issue<string, T>,
  thresholds: Thresholds<T>,
  isShown: boolean,
): RawBuilder<Told | null> {
  const parts = isShown
    ? Object.entries<RawBuilder<unknown>>(show).map(([key, value]) => sql`, ${sql.lit(key)}, ${value}`)
    : []
  return sql<Told | null>`(
    select jsonb_build_object('issue', ${sql.lit(name)}, 'count', count(*), 'detail', ${detail} ${sql.join(parts, sql``)})
    from (${findings(thresholds)}) as found where found.computer_id = computers.id
    having count(*) >= ${fewest?.(thresholds) ?? 1})`
}
