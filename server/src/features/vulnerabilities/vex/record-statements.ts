import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { countOpenComputers } from '../compare/count-computers.ts'
import { toComparedKey } from '../documents/compared-versions.ts'
import { isInForce } from '../exceptions/covered-computers.ts'
import type { ExceptionScope } from '../exceptions/exception-rows.ts'
import type { VexContent, VexStatement } from './statements.ts'

type Recorded = { created: number; unchanged: number; ignored: number; refused: VexContent['refused'] }

/** Of more vulnerabilities, computers are counted by the task that follows inventories, within a minute. */
const maxCountedAtOnce = 20

const unexplained = 'The document gives no reason.'

/** Creates an exception for each statement, unless there is one in force that says the same. */
export async function recordStatements(
  db: Database,
  statements: readonly VexStatement[],
  { scope, approvedBy }: { scope: ExceptionScope; approvedBy: string },
): Promise<Recorded> {
  const refused: VexContent['refused'] = []
  const rows = new Map<string, Row>()
  for (const statement of statements) {
    const row = toRow(statement)
    if (typeof row === 'string') refused.push({ at: statement.vulnerability, reason: row })
    else
      rows.set(JSON.stringify([row.vulnerability, row.status, row.type, row.platform, row.name, row.versionKey]), row)
  }
  const { rows: known } = await sql<{ id: number | null; isCreated: boolean }>`
    with stated as materialized (
      select stated.*, v.id as vulnerability_id
      from jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb) as stated (vulnerability text, status text, reason text,
          "expiresUtc" timestamptz, type text, platform text, name text, version text, "versionKey" text)
        left join vulnerabilities v on v.key = stated.vulnerability
    ), created as (
      insert into vulnerability_exceptions (vulnerability_id, status, reason, group_id, computer_id, approved_by, expires_at,
        package_type, package_platform, package_name, package_version, package_version_key)
      select vulnerability_id, status, reason, ${scope.groupId ?? null}::uuid, ${scope.computerId ?? null}::integer, ${approvedBy},
        "expiresUtc", type, platform, name, version, "versionKey"
      from stated
      where vulnerability_id is not null and not exists (
        select from vulnerability_exceptions exception
        where exception.vulnerability_id = stated.vulnerability_id and exception.status = stated.status
          and ${isInForce('exception')}
          and exception.group_id is not distinct from ${scope.groupId ?? null}::uuid
          and exception.computer_id is not distinct from ${scope.computerId ?? null}::integer
          and (exception.package_type, exception.package_platform, exception.package_name, exception.package_version_key)
            is not distinct from (stated.type, stated.platform, stated.name, stated."versionKey"))
      order by vulnerability_id
      returning vulnerability_id
    )
    select vulnerability_id as id, false as "isCreated" from stated
    union all select vulnerability_id, true from created`.execute(db)
  const created = known.flatMap(({ id, isCreated }) => (isCreated && id !== null ? [id] : []))
  const ignored = known.filter(({ id }) => id === null).length
  await countAgain(db, [...new Set(created)])
  return { created: created.length, unchanged: rows.size - ignored - created.length, ignored, refused }
}

async function countAgain(db: Database, vulnerabilities: readonly number[]): Promise<void> {
  if (vulnerabilities.length > maxCountedAtOnce)
    await sql`update vulnerability_state set count_is_due = true`.execute(db)
  else for (const id of vulnerabilities) await countOpenComputers(db, id)
}

type Row = Omit<VexStatement, 'package'> & {
  type: string | null
  platform: string | null
  name: string | null
  version: string | null
  versionKey: string | null
}

function toRow({ package: stated, ...statement }: VexStatement): Row | string {
  if (statement.expiresUtc && statement.expiresUtc <= new Date()) return 'has expired'
  const versionKey = stated && stated.version !== null ? toComparedKey(stated.type, stated.version) : null
  if (versionKey === undefined) return 'names a version that cannot be compared'
  return {
    ...{ ...statement, reason: statement.reason || unexplained },
    ...{ type: stated?.type ?? null, platform: stated?.platform ?? null, name: stated?.name ?? null },
    ...{ version: stated?.version ?? null, versionKey },
  }
}
