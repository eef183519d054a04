import { randomBytes } from 'node:crypto'
import { ok, operation } from '../../../platform/operation.ts'
import { toMetricsToken } from '../metrics-tokens.ts'
import { insertLocalPrincipal, newSecret } from '../principals.ts'
import { requireLocalPrincipal } from '../read-principals.ts'
import { CreateLocalPrincipalRequest, CreateLocalPrincipalResponse } from './schemas.ts'

export const createLocalPrincipal = operation({
  id: 'createLocalPrincipal',
  route: 'POST /api/admin/local-principals',
  summary: 'Create a local principal',
  description:
    'The service generates client id and secret. The answer is the only place where the secret is shown; it cannot be read again.',
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
    const created = await requireLocalPrincipal(db, id)
    const metricsToken = toMetricsToken({ clientId: created.clientId, clientSecret: plaintextKey }, created.roles)
    return { ...created, plaintextKey, ...(metricsToken && { metricsToken }) }
  },
})
