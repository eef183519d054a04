import { randomBytes } from 'node:crypto'
import { ok, operation } from '../../../platform/operation.ts'
import { insertLocalPrincipal, newSecret } from '../principals.ts'
import { localPrincipal } from '../queries.ts'
import { CreateLocalPrincipalRequest, CreateLocalPrincipalResponse } from './schemas.ts'

export const createLocalPrincipal = operation({
  id: 'createLocalPrincipal',
  route: 'POST /api/admin/local-principals',
  summary: 'Create a local principal and show its secret, once',
  role: 'admin.manage',
  body: CreateLocalPrincipalRequest,
  returns: ok(CreateLocalPrincipalResponse),
  async handle({ body, db, services }) {
    const plaintextKey = newSecret()
    const id = await insertLocalPrincipal(db, services.keys, {
      clientId: `client-${randomBytes(8).toString('hex')}`,
      secret: plaintextKey,
      description: body.description,
      roles: body.roles,
      expiresAt: body.expiresAtUtc,
    })
    return { ...(await localPrincipal(db, id)), plaintextKey }
  },
})
