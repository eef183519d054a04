import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { seal, unseal } from '../sealing.ts'
import {
  isActive,
  type Principal,
  type PrincipalRow,
  principalColumns,
  principalOf,
  principalTables,
} from './active-principals.ts'
import type { ServerKeys } from './server-keys.ts'

export type Session = {
  /** Client id of a local principal, subject id of one of an identity provider. */
  subjectId: string
  /** The identity provider that vouched for the person, if one did. */
  provider: string | null
  csrfToken: string
  idleExpiresAt: Date
  expiresAt: Date
}

export type NewSession = { principalId: number; provider: string | null; idToken?: string | undefined }

export type EndedSession = { provider: string | null; idToken: string | undefined }

export type Sessions = {
  /** Returns the token for the cookie. */
  open(db: Database, session: NewSession): Promise<string>
  /** The session with its principal, both as they are now; undefined unless both are valid. It counts as use. */
  find(token: string): Promise<{ principal: Principal; session: Session } | undefined>
  /** Returns what was known of the session, if there was one. */
  end(db: Database, token: string): Promise<EndedSession | undefined>
  /** Removes the rows of those that have expired. Returns how many. */
  purgeExpired(): Promise<number>
}

export type SessionLimits = {
  idleMinutes: number
  hours: number
  /** The providers by which one can sign in at present, and null for client id and secret. */
  ways: ReadonlySet<string | null>
}

type Found = PrincipalRow & { subject_id: string; provider: string | null; idle_expires_at: Date; expires_at: Date }

/** The sessions of the pages: in the database, so that they hold on every node and survive a restart. */
export function openSessions(db: Database, keys: ServerKeys, { idleMinutes, hours, ways }: SessionLimits): Sessions {
  const idTokenKey = (token: string) => keys.deriveKey(`ID token of session ${token}`)
  const idle = sql`make_interval(mins => ${idleMinutes})`

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

    async find(token) {
      const hash = keys.hashSecret(token)
      // One statement also where the use is noted, which is once a minute: nearly all requests only read.
      const { rows } = await sql<Found>`
        with noted as (
          update sessions set last_used_at = now()
          where token_hash = ${hash} and expires_at > now()
            and last_used_at < now() - interval '1 minute' and last_used_at > now() - ${idle}
        )
        select ${principalColumns}, coalesce(l.client_id, i.subject_id) as subject_id, s.provider, s.expires_at,
          least(s.expires_at, ${idle} + case
            when s.last_used_at < now() - interval '1 minute' then now() else s.last_used_at end) as idle_expires_at
        from sessions s, ${principalTables}
        where s.token_hash = ${hash} and s.expires_at > now() and s.last_used_at > now() - ${idle}
          and p.id = s.principal_id and ${isActive}
          and exists (select from principal_roles where principal_id = p.id and role = 'admin.manage')`.execute(db)
      const [found] = rows
      if (!found || !ways.has(found.provider)) return undefined
      const { subject_id, provider, idle_expires_at, expires_at } = found
      return {
        principal: principalOf(found),
        session: {
          subjectId: subject_id,
          provider,
          csrfToken: keys.deriveKey(`CSRF token of session ${token}`).toString('base64url'),
          idleExpiresAt: idle_expires_at,
          expiresAt: expires_at,
        },
      }
    },

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

    async purgeExpired() {
      const forgotten = await db
        .deleteFrom('sessions')
        .where((eb) =>
          eb.or([eb('expires_at', '<=', sql<Date>`now()`), eb('last_used_at', '<=', sql<Date>`now() - ${idle}`)]),
        )
        .executeTakeFirst()
      return Number(forgotten.numDeletedRows)
    },
  }
}
