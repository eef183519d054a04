import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import type { FoundSession, Sessions } from '../../platform/authentication/sessions.ts'
import { seal, unseal } from '../../platform/sealing.ts'
import { activePrincipals, type PrincipalRow, toPrincipal } from './active-principals.ts'

export type SessionLimits = {
  idleMinutes: number
  hours: number
  /** Names of the configured identity providers, and null for client id and secret. Other sessions are not valid. */
  signInMethods: ReadonlySet<string | null>
}

type SessionRow = PrincipalRow & {
  token_hash: Buffer
  subject_id: string
  provider: string | null
  idle_expires_at: Date
  expires_at: Date
}

/** The sessions of the console. They are stored in the database so that every node knows them and they survive restarts. */
export function openSessions(keys: ServerKeys, { idleMinutes, hours, signInMethods }: SessionLimits): Sessions {
  const idTokenKey = (token: string) => keys.deriveKey(`ID token of session ${token}`)
  const idle = sql<string>`make_interval(mins => ${idleMinutes})`

  function toFoundSession(row: SessionRow, token: string): FoundSession {
    const { subject_id, provider, idle_expires_at, expires_at } = row
    return {
      principal: toPrincipal(row),
      session: {
        subjectId: subject_id,
        provider,
        csrfToken: keys.deriveKey(`CSRF token of session ${token}`).toString('base64url'),
        idleExpiresAt: idle_expires_at,
        expiresAt: expires_at,
      },
    }
  }

  async function findAll(
    db: Database,
    tokens: readonly string[],
    { recordsUse = true } = {},
  ): Promise<(FoundSession | undefined)[]> {
    const hashes = tokens.map((token) => keys.hashSecret(token))
    // The use is recorded once a minute and in the same statement, so nearly all requests only read.
    const { rows } = await sql<SessionRow>`
      with used as (
        update sessions set last_used_at = now()
        where ${recordsUse}::boolean and token_hash = any(${hashes}::bytea[]) and expires_at > now()
          and last_used_at < now() - interval '1 minute' and last_used_at > now() - ${idle}
      )
      select session.token_hash, principal.id, principal.kind, principal.name, principal.roles,
        coalesce(principal.client_id, principal.subject_id) as subject_id, session.provider, session.expires_at,
        least(session.expires_at, ${idle} + case
          when session.last_used_at < now() - interval '1 minute' then now()
          else session.last_used_at end) as idle_expires_at
      from sessions session join ${activePrincipals} principal on principal.id = session.principal_id
      where session.token_hash = any(${hashes}::bytea[]) and session.expires_at > now()
        and session.last_used_at > now() - ${idle}
        and exists (select from principal_roles where principal_id = principal.id)`.execute(db)
    const valid = rows.filter(({ provider }) => signInMethods.has(provider))
    const byHash = new Map(valid.map((row) => [row.token_hash.toString('hex'), row]))
    return tokens.map((token, index) => {
      const row = byHash.get(hashes[index]?.toString('hex') ?? '')
      return row && toFoundSession(row, token)
    })
  }

  return {
    async open(db, { principalId, provider, idToken }) {
      const token = randomBytes(32).toString('base64url')
      await db
        .insertInto('sessions')
        .values({
          token_hash: keys.hashSecret(token),
          principal_id: principalId,
          provider,
          id_token: idToken === undefined ? null : seal(idTokenKey(token), idToken),
          expires_at: sql<Date>`now() + make_interval(hours => ${hours})`,
        })
        .execute()
      return token
    },

    async find(db, token) {
      const [found] = await findAll(db, [token])
      return found
    },

    findAll,

    async end(db, token) {
      const ended = await db
        .deleteFrom('sessions')
        .where('token_hash', '=', keys.hashSecret(token))
        .returning(['provider', 'id_token'])
        .executeTakeFirst()
      return (
        ended && {
          provider: ended.provider,
          idToken: ended.id_token ? unseal(idTokenKey(token), ended.id_token) : undefined,
        }
      )
    },

    async purgeExpired(db) {
      const purged = await db
        .deleteFrom('sessions')
        .where((eb) =>
          eb.or([eb('expires_at', '<=', sql<Date>`now()`), eb('last_used_at', '<=', sql<Date>`now() - ${idle}`)]),
        )
        .executeTakeFirst()
      return Number(purged.numDeletedRows)
    },
  }
}
