import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { toCommandNames } from '../distribution/commands.ts'
import { type EffectiveOptions, effectiveOptions } from '../distribution/effective-options.ts'
import { toUserDeadline } from '../distribution/user-deadline.ts'
import type { ComputerExplanation } from './api/schemas.ts'

export type ExplainedOptionsRow = EffectiveOptions & { source_group_path: string | null }

/** The options with which the group assigns the package, and where they come from. */
export async function findExplainedOptions(
  db: Database,
  groupId: string,
  packageId: string,
): Promise<ExplainedOptionsRow | undefined> {
  const owner = sql<{ group_id: string; package_id: string }>`
    select ${groupId}::uuid as group_id, ${packageId}::uuid as package_id`
  const { rows } = await sql<ExplainedOptionsRow>`
    select options.*, groups.path as source_group_path
    from (${effectiveOptions(owner)}) as options left join groups on groups.id = options.source_group_id`.execute(db)
  return rows[0]
}

export function toExplainedOptions(row: ExplainedOptionsRow): NonNullable<ComputerExplanation['options']> {
  const ofGroup = row.is_for_package ? 'Package' : 'Group'
  return {
    source: row.source_group_id === null ? 'Default' : ofGroup,
    groupId: row.source_group_id,
    groupPath: row.source_group_path,
    commands: toCommandNames(row.dist_commands),
    schedule: row.schedule,
    revokeCount: row.revoke_count,
    revokeDateUtc: row.revoke_date,
    optionalDateUtc: row.optional_date,
    wakeOnLan: row.wol,
    userDeadline: toUserDeadline(row.user_deadline),
    preDownload: row.pre_download,
  }
}
