import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isInvalidValue } from '../database/errors.ts'
import type { Call } from './operation.ts'
import { Type } from './schema.ts'
import { invalidPart } from './validation.ts'

const maxPageSize = 1000

/** The query parameters of every paged list. */
export const paging = {
  skip: Type.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    default: 0,
    description: 'Number of items to skip.',
    examples: [0],
  }),
  top: Type.Integer({
    minimum: 1,
    maximum: 2 ** 31 - 1,
    default: 50,
    description: `Page size, at most ${maxPageSize}. Higher values are lowered to that; the answer contains the size that was applied.`,
    examples: [50],
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Continues after the last item of a page, instead of `skip`. The `Link` header of that page contains it.',
      examples: ['WzUwXQ'],
    }),
  ),
}

export type Paging = { skip: number; top: number; cursor?: string }

export type PagedResult<Row> = { items: Row[]; skip: number; top: number; totalCount: number; hasMore: boolean }

/** Selected columns that are unique together; all ascending or all descending. */
export type PageOrder<Row> = { columns: readonly (keyof Row & string)[]; descending?: boolean }

/**
 * Finds the matching rows by their order columns alone, if whole rows are expensive to build or to filter. Whole rows are
 * then built for the page only, not for the rows that are counted or skipped.
 */
export type Matching<DB, TB extends keyof DB> = {
  query: SelectQueryBuilder<DB, TB, object>
  /** True if the search costs more than materialising its result: the count and the page then share one run of it. */
  once: boolean
  /** The number of matching rows, if it is known without counting them, or what reads it. */
  totalCount?: number | RawBuilder<number>
}

type PagedCall = Pick<Call, 'db' | 'request' | 'setHeader'> & { query: Paging }

type Extra = { total_count: number; page_position: string | null }

/**
 * Reads one page of the rows and the number of all rows in one statement. If more rows follow, a `Link` header contains
 * a cursor: the position of the last row, where the next page begins without reading the rows before it.
 */
export async function pageOf<DB, TB extends keyof DB, Row extends object, DM = DB, TM extends keyof DM = keyof DM>(
  { db, query, request, setHeader }: PagedCall,
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: PageOrder<Row>,
  matching?: Matching<DM, TM>,
): Promise<PagedResult<Row>> {
  const size = Math.min(query.top, maxPageSize)
  const columns = columnList(order)
  const slice = sql`
    where ${isAfterCursor(query, order)} order by ${orderBy(order)} limit ${size + 1} offset ${query.skip}`
  const result = await sql<Row & Extra>`
    with matching as ${matching?.once ? sql`materialized` : sql`not materialized`} (${matching?.query ?? rows})
    select page.*, total.total_count
    from (${totalOf(matching?.totalCount)}) as total
      left join (
        select listed.*, jsonb_build_array(${columns})::text as page_position
        from ${
          matching
            ? sql`(select ${columns} from matching ${slice}) as page_keys join (${rows}) as listed using (${columns})`
            : sql`matching as listed ${slice}`
        }
      ) as page on true
    order by ${orderBy(order)}`
    .execute(db)
    .catch((error: unknown) => {
      throw query.cursor !== undefined && isInvalidValue(error) ? invalidCursor() : error
    })
  const found = result.rows.filter((row) => row.page_position !== null)
  const last = found[size - 1]
  const hasMore = found.length > size
  if (hasMore && last?.page_position) setHeader('link', `<${nextAddress(request.url, last.page_position)}>; rel="next"`)
  return {
    items: found
      .slice(0, size)
      .map(({ total_count: _count, page_position: _position, ...row }) => row as unknown as Row),
    skip: query.skip,
    top: size,
    totalCount: result.rows[0]?.total_count ?? 0,
    hasMore,
  }
}

function totalOf(known: number | RawBuilder<number> | undefined): RawBuilder<unknown> {
  if (known !== undefined) return sql`select ${known}::integer as total_count`
  return sql`select count(*)::integer as total_count from matching`
}

function columnList<Row>({ columns }: PageOrder<Row>): RawBuilder<Partial<Row>> {
  return sql.join<Partial<Row>>(columns.map((column) => sql.ref(column)))
}

function orderBy<Row>({ columns, descending }: PageOrder<Row>): RawBuilder<Partial<Row>> {
  return sql.join<Partial<Row>>(
    columns.map((column) => sql`${sql.ref(column)} ${sql.raw(descending ? 'desc' : 'asc')}`),
  )
}

function isAfterCursor<Row>({ cursor, skip }: Paging, order: PageOrder<Row>): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  if (skip > 0) throw invalidPart('query', 'cursor', 'cannot be combined with skip')
  const position = parseCursor(cursor, order.columns.length)
  const comparison = sql.raw(order.descending ? '<' : '>')
  return sql<boolean>`(${columnList(order)}) ${comparison} (${sql.join(position)})`
}

function parseCursor(cursor: string, length: number): unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isScalar = (value: unknown) => ['string', 'number'].includes(typeof value)
    if (Array.isArray(position) && position.length === length && position.every(isScalar)) return position
  } catch {
    // Refused below, like any other text that is not a cursor.
  }
  throw invalidCursor()
}

function invalidCursor() {
  return invalidPart('query', 'cursor', 'is not a cursor of this list')
}

function nextAddress(url: string, position: string): string {
  const address = new URL(url, 'http://host')
  // Clients spell the names of parameters as they like, and two spellings of one parameter are refused.
  for (const name of [...address.searchParams.keys()])
    if (['skip', 'cursor'].includes(name.toLowerCase())) address.searchParams.delete(name)
  address.searchParams.set('cursor', Buffer.from(position).toString('base64url'))
  return address.pathname + address.search
}
