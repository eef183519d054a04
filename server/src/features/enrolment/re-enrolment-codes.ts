import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { newSecret } from '../principals/principals.ts'

export type ReEnrolmentCode = { computer_id: number }

/** Distinguishes codes from enrolment tokens. */
const codePrefix = 're-enrol-'

export const isReEnrolmentCode = (text: string) => text.startsWith(codePrefix)

/** Creates the code with which one agent may enrol for the computer. It replaces an earlier code of the computer. */
export async function createReEnrolmentCode(
  db: Database,
  keys: ServerKeys,
  clientId: number,
  expiresAt: Date,
): Promise<string> {
  const code = `${codePrefix}${newSecret()}`
  const code_hash = keys.hashSecret(code)
  await db
    .insertInto('re_enrolment_codes')
    .values({ computer_id: clientId, code_hash, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column('computer_id').doUpdateSet({ code_hash, expires_at: expiresAt, used_at: null }),
    )
    .execute()
  return code
}

export async function deleteReEnrolmentCode(db: Database, clientId: number): Promise<void> {
  await db.deleteFrom('re_enrolment_codes').where('computer_id', '=', clientId).execute()
}

/** Finds a code that has not expired, used or not. */
export async function findReEnrolmentCode(db: Database, codeHash: Buffer): Promise<ReEnrolmentCode | undefined> {
  const { rows } = await executePrepared(
    db,
    sql<ReEnrolmentCode>`
      select computer_id from re_enrolment_codes where code_hash = ${codeHash} and expires_at > now()`,
  )
  return rows[0]
}

/**
 * Uses the code up. Returns false when it is not, or no longer, a valid code of this computer. The caller has locked
 * the computer.
 */
export async function takeReEnrolmentCode(db: Database, codeHash: Buffer, clientId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update re_enrolment_codes set used_at = now()
    where code_hash = ${codeHash} and computer_id = ${clientId} and used_at is null and expires_at > now()`.execute(db)
  return numAffectedRows === 1n
}
