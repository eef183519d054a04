import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'

export type UsableToken = { id: number; group_id: string | null; is_used_up: boolean }

/** Finds a token that is neither revoked nor expired. */
export async function findUsableToken(db: Database, tokenHash: Buffer): Promise<UsableToken | undefined> {
  const { rows } = await executePrepared(
    db,
    sql<UsableToken>`
      select id, group_id, max_uses is not null and uses >= max_uses as is_used_up from enrolment_tokens
      where token_hash = ${tokenHash} and revoked_at is null and expires_at > now()`,
  )
  return rows[0]
}

/** The statement that counts one use of the token. It returns no row if the token has been revoked or used up in the meantime. */
export const countTokenUse = (tokenId: number): RawBuilder<{ id: number }> => sql`
  update enrolment_tokens set uses = uses + 1
  where id = ${tokenId} and revoked_at is null and (max_uses is null or uses < max_uses)
  returning id`

/** Keeps the group of a token from being deleted until the transaction ends. */
export async function pinGroupOfToken(db: Database, groupId: string | null): Promise<void> {
  if (groupId !== null) await sql`select from groups where id = ${groupId} for key share`.execute(db)
}

/** Puts the computer into the group of the token. A computer that already is in a configuration group stays there. */
export async function joinGroup(db: Database, groupId: string | null, clientId: number): Promise<void> {
  if (groupId === null) return
  await sql`
    insert into group_computers (group_id, computer_id, is_exclusive)
    select id, ${clientId}::integer, is_exclusive from groups
    where id = ${groupId} and kind in ('System', 'Ordinary') and tree in ('ConfigurationGroups', 'AssignmentGroups')
    on conflict do nothing`.execute(db)
}

/** Enrolment tokens in the form of the API. */
export function enrolmentTokenRows(db: Database) {
  return db
    .selectFrom('enrolment_tokens')
    .leftJoin('groups', 'groups.id', 'enrolment_tokens.group_id')
    .select([
      'enrolment_tokens.id',
      'enrolment_tokens.description',
      'enrolment_tokens.group_id as groupId',
      'groups.path as groupPath',
      'max_uses as maxUses',
      'uses',
      'enrolment_tokens.created_at as createdAtUtc',
      'expires_at as expiresAtUtc',
      'revoked_at as revokedAtUtc',
    ])
}
