import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from '../server/src/database/connect.ts'
import { statementNameOf } from '../server/src/database/statement-names.ts'
import type { DB } from '../server/src/database/tables.ts'
import type { AnyOperation, Call } from '../server/src/platform/operation.ts'

export type Statement = { name?: string | undefined; text: string; values: unknown[] }

/** The statements that the handler of a read runs, without those of the framework. */
export async function statementsOf(pool: pg.Pool, operation: AnyOperation, input: object): Promise<Statement[]> {
  const statements: Statement[] = []
  const db: Database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ name: statementNameOf(query), text: query.sql, values: [...query.parameters] })
    },
  })
  await operation.handle({ query: {}, ...input, db, request: { url: '/' }, setHeader: () => {} } as unknown as Call)
  return statements
}

export const frameworkExplanation =
  'The framework is a request that does nothing: HTTP, the token and the rights of the caller.'

export type Timing = { request: number | undefined; statement: number; framework: number }

/**
 * Measures the median milliseconds of a request, of its statements alone and, if given, of a request that does nothing.
 * They run in turn so that other load and warm caches affect all of them alike.
 */
export async function measureTiming(
  request: (() => Promise<void>) | undefined,
  statement: () => Promise<void>,
  milliseconds: number,
  framework?: () => Promise<void>,
): Promise<Timing> {
  const times: Record<keyof Timing, number[]> = { request: [], statement: [], framework: [] }
  const measure = async (run: () => Promise<void>, into: number[]) => {
    const start = performance.now()
    await run()
    into.push(performance.now() - start)
  }
  // The first run is not counted: it compiles, plans and reads from disk.
  await request?.()
  await statement()
  for (const end = performance.now() + milliseconds; performance.now() < end || times.statement.length < 7; ) {
    if (request) await measure(request, times.request)
    await measure(statement, times.statement)
    if (framework) await measure(framework, times.framework)
  }
  return {
    request: request && median(times.request),
    statement: median(times.statement),
    framework: median(times.framework),
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
