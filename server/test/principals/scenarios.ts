import {
  CreateSecretRequest,
  SetRevokedRequest,
  UpdateLocalPrincipalRequest,
  UpdatePrincipalRequest,
} from '../../src/features/principals/api/schemas.ts'
import { insertSecret } from '../../src/features/principals/principal-secrets.ts'
import { newSecret } from '../../src/features/principals/principals.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import type { TSchema } from '../../src/platform/schema.ts'
import type { Scenario } from '../world/scenario.ts'

const onLocalPrincipal =
  (body?: TSchema): Scenario =>
  async ({ given }) => ({
    params: { id: (await given.localPrincipal()).id },
    ...(body && { body: exampleOf(body) }),
  })

const onIdentityPrincipal =
  (body?: TSchema): Scenario =>
  async ({ given }) => ({
    params: { id: (await given.identityPrincipal()).id },
    ...(body && { body: exampleOf(body) }),
  })

export const administrationScenarios: Record<string, Scenario> = {
  getPrincipal: onIdentityPrincipal(),
  updatePrincipal: onIdentityPrincipal(UpdatePrincipalRequest),
  deletePrincipal: onIdentityPrincipal(),
  getLocalPrincipal: onLocalPrincipal(),
  updateLocalPrincipal: onLocalPrincipal(UpdateLocalPrincipalRequest),
  deleteLocalPrincipal: onLocalPrincipal(),
  setLocalPrincipalRevoked: onLocalPrincipal(SetRevokedRequest),
  listLocalPrincipalSecrets: onLocalPrincipal(),
  createLocalPrincipalSecret: onLocalPrincipal(CreateSecretRequest),
  deleteLocalPrincipalSecret: async ({ app, db, given }) => {
    const { id } = await given.localPrincipal()
    const secret = await insertSecret(db, app.services.keys, id, newSecret())
    return { params: { id, secretId: secret.id } }
  },
  requestToken: async ({ given }) => {
    const { clientId, secret } = await given.localPrincipal()
    return { body: { grant_type: 'client_credentials', client_id: clientId, client_secret: secret } }
  },
}
