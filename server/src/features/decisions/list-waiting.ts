import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type DecisionKind, decisionKinds, type StoredDecisionKind, storedDecisionKinds } from './decision-kinds.ts'

/** More are not named: people open the page of the kind. */
export const maxNamed = 3

type WaitingItem = { id: string; name: string; detail: string | null; atUtc: Date | null }

export type WaitingDecision<Kind = StoredDecisionKind> = { kind: Kind; count: number; items: WaitingItem[] }

type Row = { kind: StoredDecisionKind; id: string; name: string; detail: string | null; at: Date | null; count: number }

/** What waits for a person with these roles, in one statement. Kinds of which nothing waits are left out. */
export async function listWaiting(db: Database, roles: ReadonlySet<string>): Promise<WaitingDecision[]> {
  const kinds = storedDecisionKinds.filter((kind) => roles.has(decisionKinds[kind].role))
  if (kinds.length === 0) return []
  const parts = kinds.map((kind) => {
    const { waiting, order = sql`at` }: DecisionKind = decisionKinds[kind]
    return sql`
      select ${kind}::text as kind, named.* from (
        select id, name, detail, at, count(*) over ()::integer as count,
          row_number() over (order by ${order}, name, id) as place
        from (${waiting}) as waiting
      ) as named where place <= ${maxNamed}`
  })
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)} order by place`.execute(db)
  return kinds.flatMap((kind) => {
    const named = rows.filter((row) => row.kind === kind)
    const items = named.map(({ id, name, detail, at }) => ({ id, name, detail, atUtc: at }))
    return named[0] ? [{ kind, count: named[0].count, items }] : []
  })
}
