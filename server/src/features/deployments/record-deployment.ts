import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type InstallationState = 'Installed' | 'NotInstalled' | 'Uninstalled'

/** A piece of work whose end is recorded. The caller has locked it. */
export type Piece = {
  id: number
  computer_id: number
  package_id: string | null
  kind: string
  attempt: number
  commands: number
  reinstall_group_id: string | null
  name: string | null
  package_name: string | null
  version: string | null
  content_hash: Buffer | null
}

/** Closes the pieces `w` that meet the condition, with what has to be known of them for all that follows. */
export async function closePieces(
  db: Database,
  condition: RawBuilder<unknown>,
  state: 'Success' | 'Failed',
): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    with closed as (
      update work w set state = ${state}, closed_at = now(), leased_until = null where ${condition}
      returning w.*
    )
    select closed.id, closed.computer_id, closed.package_id, closed.kind, closed.attempt, closed.commands,
      closed.reinstall_group_id, p.name, p.package_name, p.version, coalesce(closed.content_hash, p.content_hash) as content_hash
    from closed left join packages p on p.id = closed.package_id
    order by closed.package_id`.execute(db)
  return rows
}

/**
 * What is now installed of the package, and how its work ended; `keep` leaves the latter as it was. Other versions of a
 * package that was installed are not there any more.
 */
export async function setInstallation(
  db: Database,
  piece: Piece,
  state: InstallationState,
  result: 'Success' | 'keep',
): Promise<void> {
  if (piece.package_id === null) return
  const isInstalled = state === 'Installed'
  if (isInstalled) await endOtherVersions(db, piece, piece.package_id)
  const hash = isInstalled ? piece.content_hash : null
  const installedAt = isInstalled ? sql`now()` : sql`null`
  const ended =
    result === 'keep'
      ? sql``
      : sql`, result = 'Success', pending_since = null, current_mode = ${piece.commands}, failed_at = null, error_text = null`
  await sql`
    insert into deployments (computer_id, package_id, result, current_mode, installation_state, installed_hash, installed_at)
    values (${piece.computer_id}, ${piece.package_id}, ${result === 'keep' ? null : result},
      ${result === 'keep' ? 0 : piece.commands}, ${state}, ${hash}, ${installedAt})
    on conflict on constraint deployments_pkey do update
      set installation_state = excluded.installation_state, installed_hash = excluded.installed_hash,
        installed_at = excluded.installed_at ${ended}`.execute(db)
}

async function endOtherVersions(db: Database, piece: Piece, packageId: string): Promise<void> {
  // All of them are locked before one is changed, and in their order, because others do so, too.
  await sql`
    with versions as (
      select d.computer_id, d.package_id, d.installation_state from deployments d
        join packages p on p.id = d.package_id
      where d.computer_id = ${piece.computer_id} and lower(p.package_name) = lower(${piece.package_name})
      order by d.package_id
      for update of d
    ), ended as (
      update deployments d set installation_state = 'NotInstalled', installed_hash = null, installed_at = null
      from versions v
      where d.computer_id = v.computer_id and d.package_id = v.package_id and v.package_id <> ${packageId}
        and v.installation_state = 'Installed'
      returning d.computer_id, d.package_id
    )
    insert into distribution_events (computer_id, package_id, result, classification, install_mode)
    select computer_id, package_id, 'Success', 'Dependency', ${piece.kind} from ended order by package_id`.execute(db)
}

/** The last work with the package failed. An installation state of null leaves what was known. */
export async function writeFailure(
  db: Database,
  { computer_id, package_id }: Piece,
  errorText: string,
  state: InstallationState | null,
): Promise<void> {
  if (package_id === null) return
  const isGone = state === 'NotInstalled' || state === 'Uninstalled'
  await sql`
    insert into deployments as d (computer_id, package_id, result, installation_state, failed_at, error_text)
    values (${computer_id}, ${package_id}, 'Failed', coalesce(${state}, 'None'), now(), ${errorText})
    on conflict on constraint deployments_pkey do update
      set result = 'Failed', pending_since = null, failed_at = now(), error_text = excluded.error_text,
        installation_state = coalesce(${state}, d.installation_state),
        installed_hash = case when not ${isGone} then d.installed_hash end,
        installed_at = case when not ${isGone} then d.installed_at end`.execute(db)
}

export async function keepSetupError(
  db: Database,
  piece: Piece,
  said: { exitCode: number | null; commandLine: string | null; output: string },
): Promise<void> {
  await db
    .insertInto('setup_errors')
    .values({
      computer_id: piece.computer_id,
      package_id: piece.package_id,
      work_id: piece.id,
      attempt: piece.attempt,
      // Windows counts without a sign, the column with one.
      exit_code: said.exitCode === null ? null : said.exitCode | 0,
      command_line: said.commandLine,
      output: said.output,
    })
    .execute()
}

/** Leaves an event of what the agent reported about a package. */
export async function tell(
  db: Database,
  { computer_id, package_id, kind }: Piece,
  result: 'Success' | 'Failed',
  commandLine: string | null,
): Promise<void> {
  if (package_id === null) return
  await db
    .insertInto('distribution_events')
    .values({ computer_id, package_id, result, classification: 'Report', install_mode: kind, info: commandLine })
    .execute()
}

/** A reinstall that was asked for is over. The caller has closed its work, which would be cancelled otherwise. */
export async function removeReinstallGroup(
  db: Database,
  pieces: readonly Pick<Piece, 'reinstall_group_id'>[],
): Promise<void> {
  const groups = pieces.flatMap(({ reinstall_group_id }) => reinstall_group_id ?? [])
  if (groups.length > 0) await db.deleteFrom('reinstall_groups').where('group_id', 'in', groups).execute()
}
