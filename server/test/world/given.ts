import { randomBytes } from 'node:crypto'
import type { App } from '../../src/app.ts'
import type { Database } from '../../src/database/connect.ts'
import { insertLocalPrincipal, newSecret } from '../../src/domain/principals.ts'
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
  }
}
