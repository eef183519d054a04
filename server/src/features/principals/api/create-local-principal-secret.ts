import { ok, operation } from '../../../platform/operation.ts'
import { toMetricsToken } from '../metrics-tokens.ts'
import { expireSecrets, insertSecret, tooManySecrets } from '../principal-secrets.ts'
import { newSecret } from '../principals.ts'
import { lockLocalPrincipal, requireLocalPrincipal } from '../read-principals.ts'
import { principalNotFound } from './problems.ts'
import { CreatedPrincipalSecret, CreateSecretRequest, PrincipalPath } from './schemas.ts'

export const createLocalPrincipalSecret = operation({
  id: 'createLocalPrincipalSecret',
  route: 'POST /api/admin/local-principals/:id/secrets',
  summary: 'Create a new secret for a local principal',
  description:
    'Replaces a secret without an interruption: the previous secrets stay valid for the given time, in which programs change over to the new one. The answer is the only place where the secret is shown. Access tokens that were issued before stay valid until they expire.',
  role: 'admin.manage',
  extension: true,
  params: PrincipalPath,
  body: CreateSecretRequest,
  returns: ok(CreatedPrincipalSecret),
  problems: [principalNotFound, tooManySecrets],
  async handle({ params, body, db, services }) {
    await lockLocalPrincipal(db, params.id)
    const { clientId, roles } = await requireLocalPrincipal(db, params.id)
    await expireSecrets(db, params.id, body.previousValidHours)
    const plaintextKey = newSecret()
    const metricsToken = toMetricsToken({ clientId, clientSecret: plaintextKey }, roles)
    return {
      ...(await insertSecret(db, services.keys, params.id, plaintextKey)),
      clientId,
      plaintextKey,
      ...(metricsToken && { metricsToken }),
    }
  },
})
