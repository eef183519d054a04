import { closed, enumOf, Id, Instant, nullable, Type } from '../platform/schema.ts'

export const SignInRequest = closed({
  clientId: Type.String({ minLength: 1, maxLength: 255, examples: ['admin-5b1f0e2a'] }),
  clientSecret: Type.String({ minLength: 1, maxLength: 1000, writeOnly: true, examples: ['the-secret-of-the-client'] }),
})

export const SessionDto = closed({
  principal: closed({
    id: Id,
    kind: enumOf(['local', 'user']),
    subjectId: Type.String({ examples: ['admin-5b1f0e2a'] }),
    displayName: Type.String({ examples: ['Ada Lovelace'] }),
    roles: Type.Array(Type.String(), { examples: [['admin.manage']] }),
  }),
  provider: nullable(Type.String({ examples: ['corporate'] })),
  csrfToken: Type.String({ examples: ['what-the-header-X-CSRF-Token-must-say'] }),
  idleExpiresAtUtc: Instant,
  expiresAtUtc: Instant,
  confirmCountAbove: Type.Integer({ examples: [20] }),
})
