import { roleNames } from '../../../platform/roles.ts'
import { closed, enumOf, Id, Instant, nullable, Type, text } from '../../../platform/schema.ts'

export const RoleName = enumOf(roleNames, { title: 'Role' })

const RoleNames = Type.Array(RoleName, { maxItems: 100, examples: [['computer.read', 'group.read']] })
const AssignedRoles = Type.Array(Type.String(), { examples: [['computer.read', 'group.read']] })

export const PrincipalPath = closed({ id: Id })

export const ForceQuery = closed({
  force: Type.Optional(
    Type.Boolean({ default: false, examples: [false], description: 'Must be true to delete a protected principal.' }),
  ),
})

const displayName = nullable(text(255, 'Ada Lovelace'))
// Subject id and issuer are unique together, and PostgreSQL limits an index entry to about 2,700 bytes.
const issuer = nullable(
  text(255, 'https://login.example.org/', 'Issuer of the identity provider, exactly as in its tokens'),
)
const description = nullable(text(1000, 'Nightly inventory report'))
const expiresAtUtc = nullable(Instant)
const isProtected = Type.Boolean({
  examples: [false],
  description: 'Whether the principal can only be deleted with force=true',
})
const lastUsedUtc = nullable({
  ...Instant,
  description: 'When the principal last made a request, to within five minutes. Not part of the original contract.',
})

export const PrincipalDto = closed(
  {
    id: Id,
    subjectType: enumOf(['client', 'user']),
    subjectId: Type.String({ examples: ['3f0c9a52'], description: 'Subject id at the identity provider' }),
    displayName,
    issuer,
    roles: AssignedRoles,
    protected: isProtected,
    lastUsedUtc,
  },
  { title: 'PrincipalDto' },
)

export const UpsertPrincipalRequest = closed(
  {
    isUser: Type.Boolean({ examples: [true] }),
    subjectId: Type.String({ minLength: 1, maxLength: 255, examples: ['3f0c9a52'] }),
    displayName,
    issuer,
    roles: RoleNames,
  },
  { title: 'UpsertPrincipalRequest' },
)

export const UpdatePrincipalRequest = closed(
  { displayName, issuer, roles: RoleNames },
  { title: 'UpdatePrincipalRequest' },
)

const localPrincipal = {
  id: Id,
  clientId: Type.String({ examples: ['client-5b1f0e2a9c'], description: 'Client id for token requests' }),
  description,
  roles: AssignedRoles,
  isRevoked: Type.Boolean({ examples: [false] }),
  expiresAtUtc,
  createdAtUtc: Instant,
  protected: isProtected,
  lastUsedUtc,
}

export const LocalPrincipalDto = closed(localPrincipal, { title: 'LocalPrincipalDto' })

const metricsToken = Type.Optional(
  Type.String({
    examples: ['muster-metrics.client-5b1f0e2a9c.the-secret-is-shown-here-once'],
    description:
      'For a principal whose only role is metrics.read: what GET /metrics also accepts as a bearer token, as long as the secret is valid and the principal has no other role. Not part of the original contract.',
  }),
)

export const CreateLocalPrincipalResponse = closed(
  {
    ...localPrincipal,
    plaintextKey: Type.String({
      examples: ['the-secret-is-shown-here-once'],
      description: 'The client secret. It is shown only in this answer and cannot be read again.',
    }),
    metricsToken,
  },
  { title: 'CreateLocalPrincipalResponse' },
)

export const CreateLocalPrincipalRequest = closed(
  { description, roles: RoleNames, expiresAtUtc },
  { title: 'CreateLocalPrincipalRequest' },
)

export const UpdateLocalPrincipalRequest = closed(
  { description, roles: RoleNames, expiresAtUtc },
  { title: 'UpdateLocalPrincipalRequest' },
)

export const SetRevokedRequest = closed(
  { isRevoked: Type.Boolean({ examples: [true] }) },
  { title: 'SetRevokedRequest' },
)

export const SecretPath = closed({ id: Id, secretId: Id })

export const CreateSecretRequest = closed(
  {
    previousValidHours: Type.Integer({
      minimum: 0,
      maximum: 720,
      examples: [24],
      description:
        'For how many hours the previous secrets stay valid. With 0, they end at once, and so do the sessions of the ' +
        'principal that were opened with client id and secret.',
    }),
  },
  { title: 'CreateSecretRequest' },
)

const principalSecret = {
  id: Id,
  createdAtUtc: Instant,
  expiresAtUtc: nullable({ ...Instant, description: 'Null if the secret is valid as long as the principal is' }),
  lastUsedUtc: nullable({
    ...Instant,
    description: 'When a token was last requested with the secret, or a session opened, to within five minutes',
  }),
}

export const PrincipalSecret = closed(principalSecret, { title: 'PrincipalSecret' })

export const CreatedPrincipalSecret = closed(
  {
    id: Id,
    createdAtUtc: Instant,
    clientId: Type.String({ examples: ['client-5b1f0e2a9c'], description: 'Client id of the principal' }),
    plaintextKey: Type.String({
      examples: ['the-secret-is-shown-here-once'],
      description: 'The client secret. It is shown only in this answer and cannot be read again.',
    }),
    metricsToken,
  },
  { title: 'CreatedPrincipalSecret' },
)

export const RoleDto = closed(
  {
    role: Type.String({ examples: ['computer.read'] }),
    description: Type.String({ examples: ['Read computers and their inventory.'] }),
  },
  { title: 'RoleDto' },
)

export const RoleOperations = closed(
  {
    role: Type.String({ examples: ['computer.read'], description: "A role, 'any valid token' or 'no token'" }),
    description: Type.String({ examples: ['Read computers and their inventory.'] }),
    operations: Type.Array(
      closed(
        {
          operationId: Type.String({ examples: ['getComputer'] }),
          method: enumOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
          path: Type.String({ examples: ['/api/computer/{id}'] }),
          summary: Type.String({ examples: ['Get a computer'] }),
        },
        { title: 'RoleOperation' },
      ),
    ),
  },
  { title: 'RoleOperations' },
)

export const SignInProvider = closed(
  {
    name: Type.String({ examples: ['corporate'] }),
    displayName: Type.String({ examples: ['Corporate login'] }),
    issuer: Type.String({ examples: ['https://login.example.org/realms/main'] }),
    clientId: Type.String({
      examples: ['muster-cli'],
      description: 'Client id of the command line at the provider, as a public client',
    }),
    audience: Type.String({
      examples: ['https://muster.example.org/api'],
      description:
        'The audience of access tokens for this service. A program should not send it a token for another one',
    }),
    scopes: Type.Array(Type.String(), { examples: [['openid', 'offline_access']] }),
    parameters: Type.Record(Type.String(), Type.String(), {
      examples: [{ resource: 'https://muster.example.org/api', prompt: 'consent' }],
      description: 'What else requests to the provider contain; `prompt` belongs to the authorization request alone',
    }),
  },
  { title: 'SignInProvider' },
)

export const AdminFeatures = closed(
  {
    idpEnabled: Type.Boolean({
      examples: [false],
      description: 'Whether at least one identity provider is configured',
    }),
    localAdminEnabled: Type.Boolean({
      examples: [true],
      description: 'Whether local administrators can sign in to the console with client id and secret',
    }),
    oidcLoginProviders: Type.Array(
      closed(
        { name: Type.String({ examples: ['corporate'] }), displayName: Type.String({ examples: ['Corporate login'] }) },
        { title: 'OidcLoginProvider' },
      ),
    ),
  },
  { title: 'AdminFeatures' },
)
