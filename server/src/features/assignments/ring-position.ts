import { type RawBuilder, sql } from 'kysely'

/**
 * From 0 to 1. The same computer has the same position in a rollout or a patch policy forever, and another one in the next. `ownerId`
 * is what the rings belong to.
 */
export function positionOf(ownerId: RawBuilder<string> | string, computerId: RawBuilder<number>): RawBuilder<number> {
  const hash = sql`encode(sha256(convert_to(${ownerId}::text || ':' || ${computerId}, 'UTF8')), 'hex')`
  return sql<number>`('x' || left(${hash}, 13))::bit(52)::bigint / ${sql.lit(2 ** 52)}::double precision`
}
