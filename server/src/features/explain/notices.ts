import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { hasOnlyOfflineDepots } from '../depots/depots-of-computer.ts'
import { conflictsOf } from '../packages/conflicts.ts'
import type { ComputerExplanation } from './api/schemas.ts'

type Notice = ComputerExplanation['notices'][number]

/** What does not stop the hand-out, but may delay an installation. */
export async function listNotices(db: Database, computerId: number, packageId?: string): Promise<Notice[]> {
  const notices: Notice[] = packageId === undefined ? [] : await listConflicts(db, computerId, packageId)
  const agent = await db
    .selectFrom('agents')
    .select(['is_reboot_required', 'reboot_required_source'])
    .where('computer_id', '=', computerId)
    .executeTakeFirst()
  if (agent?.is_reboot_required) {
    const source = agent.reboot_required_source ? ` after ${agent.reboot_required_source}` : ''
    notices.push({ reason: 'RebootRequired', message: `The computer needs a reboot${source}.` })
  }
  if (await hasOnlyOfflineDepots(db, computerId))
    notices.push({
      reason: 'NoDepotOnline',
      message: 'No depot of the computer is online. It downloads from the master server.',
    })
  return notices
}

/** Packages that conflict with an installed one and are installed as well. Nothing removes one of them by itself. */
async function listConflicts(db: Database, computerId: number, packageId: string): Promise<Notice[]> {
  const { rows } = await sql<{ name: string; version: string | null }>`
    select other.name, other.version
    from packages subject
      join deployments own on own.package_id = subject.id and own.computer_id = ${computerId}
      cross join lateral (${conflictsOf('subject')}) as conflict
      join packages other on other.id = conflict.id
      join deployments theirs on theirs.package_id = other.id and theirs.computer_id = ${computerId}
    where subject.id = ${packageId} and own.installation_state = 'Installed' and theirs.installation_state = 'Installed'
    order by lower(other.name), other.version, other.id`.execute(db)
  return rows.map(({ name, version }) => ({
    reason: 'ConflictInstalled',
    message: `${[name, version].filter(Boolean).join(' ')} is installed as well, and the two conflict. Uninstall one of them.`,
  }))
}
