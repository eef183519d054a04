import { ok, operation } from '../../../platform/operation.ts'
import { closed, enumOf, Id, Instant, Type } from '../../../platform/schema.ts'

const WhoAmI = closed(
  {
    principalId: Id,
    kind: enumOf(['local', 'client', 'user']),
    name: Type.String({ examples: ['client-5b1f0e2a9c'] }),
    roles: Type.Array(Type.String(), { examples: [['computer.read']] }),
    tokenExpiresAtUtc: Instant,
  },
  { title: 'WhoAmI' },
)

export const whoAmI = operation({
  id: 'whoAmI',
  route: 'GET /api/service/whoami',
  summary: 'Get the principal of the caller',
  description: 'Also shows its current roles, and when the token or the session expires.',
  role: 'any valid token',
  returns: ok(WhoAmI),
  handle: async ({ caller: { principal, expiresAt } }) => ({
    principalId: principal.id,
    kind: principal.kind,
    name: principal.name,
    roles: [...principal.roles].sort(),
    tokenExpiresAtUtc: expiresAt,
  }),
})
