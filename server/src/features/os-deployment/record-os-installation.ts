import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import {
  closePieces,
  keepSetupError,
  type Piece,
  setInstallation,
  tell,
  writeFailure,
} from '../deployments/record-deployment.ts'

export type OsInstallation = { status: 'Success' | 'Failed'; message: string | null }

/** Ends the installation of an operating system: the computer boots from its disk again, however it went. */
export async function recordOsInstallation(
  db: Database,
  clientId: number,
  { status, message }: OsInstallation,
): Promise<void> {
  await lockAgent(db, clientId)
  const isOpen = sql`w.computer_id = ${clientId} and w.kind = 'OperatingSystem' and w.state in ('Due', 'Leased')`
  const pieces = await closePieces(db, isOpen, status)
  for (const piece of pieces) {
    if (status === 'Success') await setInstallation(db, piece, 'Installed', 'Success')
    else {
      await writeFailure(db, piece, message ?? 'The operating system could not be installed.', null)
      await keepSetupError(db, piece, { exitCode: null, commandLine: null, output: message ?? '' })
    }
    await tell(db, piece, status, null)
  }
  if (status === 'Success') await endEverythingElse(db, clientId, pieces)
  await clearPxe(db, clientId)
}

/** The new system is there, and nothing of what was on the disk before. */
async function endEverythingElse(db: Database, clientId: number, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return
  await sql`
    update deployments set installation_state = 'NotInstalled', installed_hash = null, installed_at = null
    where computer_id = ${clientId} and package_id = any(array(
      select package_id from deployments
      where computer_id = ${clientId} and installation_state = 'Installed'
        and package_id <> all(${pieces.map(({ package_id }) => package_id)}::uuid[])
      order by package_id for update))`.execute(db)
}

async function clearPxe(db: Database, clientId: number): Promise<void> {
  await sql`delete from activations where computer_id = ${clientId} and pxe and not software and not pull`.execute(db)
  await sql`update activations set pxe = false where computer_id = ${clientId} and pxe`.execute(db)
  await sql`update computers set is_pxe_active = false where id = ${clientId} and is_pxe_active`.execute(db)
}
