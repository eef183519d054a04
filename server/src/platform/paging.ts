import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type Static, Type } from './schema.ts'

const largestPage = 1000

/** The query parameters of every paged list. */
export const paging = {
  skip: Type.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    default: 0,
    description: 'Items to skip.',
    examples: [0],
  }),
  top: Type.Integer({
    minimum: 1,
    maximum: 2 ** 31 - 1,
    default: 50,
    description: `Page size. More than ${largestPage} is taken as ${largestPage}; the answer tells the size that was applied.`,
    examples: [50],
  }),
}

export type Paging = { [K in keyof typeof paging]: Static<(typeof paging)[K]> }

export type PagedResult<Row> = { items: Row[]; skip: number; top: number; totalCount: number; hasMore: boolean }

/**
 * One page of the rows and the count of all, in one statement. `order` names selected columns and must end in a unique
 * one: only then a walk over the pages sees every row once.
 */
export async function pageOf<DB, TB extends keyof DB, Row extends object>(
  db: Database,
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: readonly { column: keyof Row & string; descending?: boolean }[],
  { skip, top }: Paging,
): Promise<PagedResult<Row>> {
  const size = Math.min(top, largestPage)
  const orderBy = sql.join(
    order.map(({ column, descending }) => sql`${sql.ref(column)} ${sql.raw(descending ? 'desc' : 'asc')}`),
  )
  const result = await sql<Row & { total_count: number; is_row: true | null }>`
    select page.*, total.total_count
    from (select count(*)::integer as total_count from (${rows}) as counted) as total
      left join (
        select listed.*, true as is_row from (${rows}) as listed order by ${orderBy} limit ${size} offset ${skip}
      ) as page on true
    order by ${orderBy}`.execute(db)
  const totalCount = result.rows[0]?.total_count ?? 0
  const items = result.rows
    .filter((row) => row.is_row)
    .map(({ total_count: _count, is_row: _isRow, ...row }) => row as unknown as Row)
  return { items, skip, top: size, totalCount, hasMore: skip + items.length < totalCount && items.length > 0 }
}
