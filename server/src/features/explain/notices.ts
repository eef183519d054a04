import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { hasOnlyOfflineDepots } from '../depots/depots-of-computer.ts'
import { decidingRestarts, restartWindowOf } from '../hand-out/policy-restarts.ts'
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
    const restart = await explainRestart(db, computerId)
    notices.push({
      reason: 'RebootRequired',
      message: `The computer needs a reboot${source}. ${restart.message}`,
      ...restart.facts,
    })
  }
  if (await hasOnlyOfflineDepots(db, computerId))
    notices.push({
      reason: 'NoDepotOnline',
      message: 'No depot of the computer is online. It downloads from the master server.',
    })
  return notices
}

/** Which patch policy restarts a computer that needs it, and when. */
async function explainRestart(db: Database, computerId: number): Promise<{ message: string; facts: Partial<Notice> }> {
  const { rows } = await decidingRestarts(sql`select ${computerId}::integer as owner_id`).execute(db)
  const [decided] = rows
  if (!decided) return { message: 'No patch policy restarts it.', facts: {} }
  const { policy_id: policyId, policy_name: policyName, restart } = decided
  const record = await db
    .selectFrom('system_records')
    .select('time_zone')
    .where('computer_id', '=', computerId)
    .executeTakeFirst()
  const window = restartWindowOf(restart, record?.time_zone ?? null, new Date())
  if (!window)
    return { message: `No window of the patch policy ${policyName} is long enough for its restart.`, facts: {} }
  const { opensAt, closesAt } = window
  return {
    message: `The patch policy ${policyName} restarts it between ${opensAt.toISOString()} and ${closesAt.toISOString()}.`,
    facts: { restart: { policyId, policyName, opensUtc: opensAt, closesUtc: closesAt } },
  }
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
