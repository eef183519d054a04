import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { closeDependents } from './fail-dependent-work.ts'
import {
  type InstallationState,
  keepSetupError,
  type Piece,
  removeReinstallGroup,
  setInstallation,
  tell,
  writeFailure,
} from './record-deployment.ts'

/** What an agent says about the end of a piece of work. */
export type ResultReport = {
  attempt: number
  status: 'Success' | 'Failed'
  /** Null when the agent does not know, or nothing has changed. */
  installationState: InstallationState | null
  exitCode: number | null
  commandLine: string | null
  output: string
  errorText: string | null
  rebootRequired: boolean
}

/** Unknown: the computer never had such work. Ignored: it was reported before, or something else has happened since. */
export type Outcome = 'Unknown' | 'Accepted' | 'Ignored'

/** Minutes until a failed piece is tried again. */
const backOff = [5, 25]

export async function recordResult(
  db: Database,
  clientId: number,
  workId: number,
  report: ResultReport,
): Promise<Outcome> {
  await lockAgent(db, clientId)
  const piece = await lockedPiece(db, clientId, workId)
  if (!piece) return 'Unknown'
  const wasHeld = piece.state === 'Leased' || piece.run_id !== null
  if (piece.attempt !== report.attempt || !wasHeld) return 'Ignored'
  if (piece.state !== 'Leased') await recordFact(db, piece, report)
  else if (report.status === 'Success') await succeed(db, piece, report)
  else await fail(db, piece, report)
  if (report.rebootRequired) await requireReboot(db, piece)
  return 'Accepted'
}

type LockedPiece = Piece & { state: string; run_id: string | null; failures: number }

async function lockedPiece(db: Database, clientId: number, workId: number): Promise<LockedPiece | undefined> {
  const { rows } = await sql<LockedPiece>`
    select w.id, w.computer_id, w.package_id, w.kind, w.state, w.attempt, w.run_id, w.commands, w.failures,
      w.reinstall_group_id, p.name, p.package_name, p.version, coalesce(w.content_hash, p.content_hash) as content_hash
    from work w left join packages p on p.id = w.package_id
    where w.id = ${workId} and w.computer_id = ${clientId}
    for update of w`.execute(db)
  return rows[0]
}

/** The work was closed while the agent had it, and stays so, but what it did to the computer is true all the same. */
async function recordFact(db: Database, piece: Piece, report: ResultReport): Promise<void> {
  await sql`update work set run_id = null where id = ${piece.id}`.execute(db)
  const state = report.status === 'Success' ? reached(piece, report) : report.installationState
  if (state) await setInstallation(db, piece, state, 'keep')
  if (report.status === 'Failed') await keepSetupError(db, piece, report)
  await tell(db, piece, report.status, report.commandLine)
}

async function succeed(db: Database, piece: Piece, report: ResultReport): Promise<void> {
  await close(db, piece, 'Success')
  await setInstallation(db, piece, reached(piece, report), 'Success')
  await tell(db, piece, 'Success', report.commandLine)
  await removeReinstallGroup(db, [piece])
}

/** An agent that cannot detect the software leaves it to what the work was for. */
function reached({ kind }: Piece, { installationState }: ResultReport): InstallationState {
  return installationState ?? (kind === 'Uninstall' ? 'Uninstalled' : 'Installed')
}

async function fail(db: Database, piece: LockedPiece, report: ResultReport): Promise<void> {
  // What was postponed, or got lost with the agent, was no try.
  const minutes = backOff[piece.failures]
  if (minutes === undefined) await close(db, piece, 'Failed')
  else await tryAgain(db, piece, minutes)
  await writeFailure(db, piece, errorText(report), report.installationState)
  await keepSetupError(db, piece, report)
  await tell(db, piece, 'Failed', report.commandLine)
  if (minutes !== undefined) return
  await closeDependents(db, piece)
  await removeReinstallGroup(db, [piece])
}

function errorText({ errorText, exitCode }: ResultReport): string {
  if (errorText) return errorText
  return exitCode === null ? 'The agent did not say why it failed.' : `The command ended with the code ${exitCode}.`
}

async function tryAgain(db: Database, { id }: Piece, minutes: number): Promise<void> {
  await sql`
    update work set state = 'Due', failures = failures + 1, not_before = now() + ${minutes} * interval '1 minute', leased_until = null,
      run_id = null, progress = null
    where id = ${id}`.execute(db)
}

async function close(db: Database, { id }: Piece, state: 'Success' | 'Failed'): Promise<void> {
  await sql`update work set state = ${state}, closed_at = now(), leased_until = null, run_id = null where id = ${id}`.execute(
    db,
  )
}

async function requireReboot(db: Database, { computer_id, name }: Piece): Promise<void> {
  await sql`
    update agents set is_reboot_required = true, reboot_required_source = ${name}, state_changed_at = now()
    where computer_id = ${computer_id} and not is_reboot_required`.execute(db)
}
