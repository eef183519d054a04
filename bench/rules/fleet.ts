import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import type { RuleCriteria } from '../../server/src/features/groups/api/rule-schemas.ts'
import { growFleet } from '../fleet.ts'
import type { Progress } from './progress.ts'

export const computers = 100_000

/** Computers with tags, and packages and variables to assign. */
export async function growRuleFleet(db: Database, progress: Progress): Promise<void> {
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await growFleet(db, computers * share)
    progress(`${computers * share} computers`)
  }
  await sql`
    insert into packages (name, package_name, version, kind, is_operational)
    select 'Software ' || n, 'Software ' || n, '1.0', 'Software', true from generate_series(1, 20) n`.execute(db)
  await sql`insert into tags (designation) select 'site:' || n from generate_series(0, 49) n`.execute(db)
  await sql`
    insert into computer_tags (computer_id, tag_id)
    select computers.id, tags.id from computers join tags on tags.designation = 'site:' || computers.id / 20 % 50
    where computers.id % 20 = 0`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const kinds: ((n: number) => RuleCriteria)[] = [
  (n) => ({ names: [`pc-00${String(n).padStart(2, '0')}*`, `till-${n}-*`] }),
  (n) => ({ networks: [`10.${n % 2}.${3 * n}.0/24`] }),
  (n) => ({ domains: [`site${n % 40}.*`], operatingSystems: ['Windows 11*'] }),
  (n) => ({ operatingSystems: ['Windows 10*'], models: [`Model ${n}`] }),
  (n) => ({ tags: [`site:${n}`] }),
]

/** Rules of all kinds in turn. Each matches some hundred computers. */
export const criteriaOf = (n: number): RuleCriteria => kinds[n % kinds.length]?.(n) ?? {}

/** Groups with these rules. */
export const groupsWithRules = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ path: `Assignment/By rule ${n}`, rule: { criteria: criteriaOf(n) } }))

/** A folder of several hundred groups, with assignments, options and variables, and a rule for some of them. */
export function largeState(groups: number, rules: number) {
  const parents = Array.from({ length: groups / 10 }, (_, n) => ({ path: `Assignment/Area ${n}` }))
  const children = Array.from({ length: groups }, (_, n) => ({
    path: `Assignment/Area ${n % parents.length}/Team ${n}`,
    packages: [{ name: `Software ${1 + (n % 20)}`, version: '1.0' }],
    options: [{ commands: ['Install'], schedule: 'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180' }],
    variables: [{ variable: `Setting${1 + (n % 30)}`, value: `of team ${n}` }],
    ...(n < rules && { rule: { criteria: criteriaOf(n) } }),
  }))
  return { groups: [...parents, ...children] }
}
