import { randomBytes } from 'node:crypto'
import type { App } from '../../src/app.ts'
import type { Database } from '../../src/database/connect.ts'
import { insertLocalPrincipal, newSecret, replaceRoles } from '../../src/domain/principals.ts'
import type { Role } from '../../src/platform/roles.ts'

export type Given = ReturnType<typeof givenIn>

/** Makes what a test needs but does not care about. */
export function givenIn(db: Database, { services }: App) {
  return {
    async localPrincipal({
      roles = ['computer.read'],
      description = null,
      expiresAt = null,
      isProtected = false,
    }: {
      roles?: readonly Role[]
      description?: string | null
      expiresAt?: Date | null
      isProtected?: boolean
    } = {}) {
      const clientId = `client-${randomBytes(6).toString('hex')}`
      const secret = newSecret()
      const id = await insertLocalPrincipal(db, services.keys, {
        clientId,
        secret,
        roles,
        description,
        expiresAt,
        isProtected,
      })
      return { id, clientId, secret }
    },

    async identityPrincipal({
      subjectType = 'user',
      subjectId = randomBytes(6).toString('hex'),
      issuer = 'https://login.example.org/',
      displayName = null,
      roles = ['computer.read'],
      isProtected = false,
    }: {
      subjectType?: 'client' | 'user'
      subjectId?: string
      issuer?: string | null
      displayName?: string | null
      roles?: readonly Role[]
      isProtected?: boolean
    } = {}) {
      const { id } = await db
        .insertInto('principals')
        .values({ kind: subjectType, is_protected: isProtected })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('identity_principals')
        .values({
          principal_id: id,
          subject_type: subjectType,
          subject_id: subjectId,
          issuer,
          display_name: displayName,
        })
        .execute()
      await replaceRoles(db, id, roles)
      return { id, subjectType, subjectId, issuer }
    },
  }
}
