import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { maxCandidates, qualityOf, type SearchedText } from './searched-text.ts'

/** Without its domain, a user is still the one that somebody searches for: CORP\alice and alice@corp.example are alice. */
export const userWithoutDomain = sql<string | null>`regexp_replace(logged_on_user, '^.*\\\\|@.*$', '', 'g')`

/** The patterns by which users are found. The first ones match what equals the text: it is always among the candidates. */
export const userPatterns = ({ itself, pattern }: SearchedText): string[] => [itself, `%\\\\${itself}`, pattern]

/** Finds the users that were signed in at the last report of a computer. */
export async function findUsers(db: Database, searched: SearchedText, top: number): Promise<{ name: string }[]> {
  if (!searched.isContainable) return []
  const candidates = userPatterns(searched).map(
    (pattern) => sql`(select logged_on_user from agents where logged_on_user ilike ${pattern} limit ${maxCandidates})`,
  )
  const { rows } = await sql<{ name: string }>`
    select min(logged_on_user) as name
    from (${sql.join(candidates, sql` union all `)}) as candidates
    group by lower(logged_on_user)
    order by min(${qualityOf(userWithoutDomain, searched)}), lower(logged_on_user) limit ${top}`.execute(db)
  return rows
}
