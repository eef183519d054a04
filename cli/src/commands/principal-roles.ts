import { answerOf, versionOf } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { findAnyPrincipal, principalName } from '../names/principals.ts'
import { type DescribedRole, findRoles, listRoles, type Role } from '../names/roles.ts'
import type { Column } from '../output/output.ts'

const columns: readonly Column<DescribedRole>[] = [
  ['role', ({ role }) => role],
  ['allows to', ({ description }) => description],
]

const list = command({
  name: 'principal roles list',
  summary: 'List all roles',
  examples: [['muster principal roles list', 'No role includes another']],
  operations: ['listRoles'],
  async run({ client, output }) {
    await output.rows(columns, await listRoles(client))
  },
})

type Change = (roles: readonly string[], named: readonly Role[]) => string[]

const changing = (name: 'grant' | 'revoke', summary: string, example: readonly [string, string], change: Change) =>
  command({
    name: `principal roles ${name}`,
    summary,
    description:
      'The principal is a local one, or a person or program of an identity provider. Its next request has the roles already.',
    arguments: [
      ['<principal>', 'Description, client ID, display name or subject ID of the principal', 'principal'],
      ['<roles...>', 'Roles, such as computer.read', 'role'],
    ],
    options: [dryRunOption],
    examples: [example],
    operations: [
      ...(['listLocalPrincipals', 'getLocalPrincipal', 'updateLocalPrincipal'] as const),
      ...(['listPrincipals', 'getPrincipal', 'updatePrincipal', 'listRoles'] as const),
    ],
    async run(call) {
      const named = await findRoles(call.client, call.names)
      const principal = await findAnyPrincipal(call.client, call.args[0] ?? '')
      const changed =
        'local' in principal
          ? await changeLocal(call, principal.local.id, (roles) => change(roles, named))
          : await changeIdentity(call, principal.identity.id, (roles) => change(roles, named))
      const has = call.options.dryRun ? 'would have' : 'has'
      const roles = changed.roles.length > 0 ? `the roles ${changed.roles.join(', ')}` : 'no roles'
      call.output.result(changed, `${principalName(principal)} ${has} ${roles}.`)
    },
  })

type ChangeRoles = (roles: readonly string[]) => string[]

/** Somebody else may change the roles at the same time, so the version that was read is required. */
async function changeLocal({ client, options }: Call, id: number, change: ChangeRoles) {
  const path = '/api/admin/local-principals/{id}'
  const { etag, value } = await versionOf(client.GET(path, { params: { path: { id } } }))
  const { description, expiresAtUtc } = value
  return answerOf(
    client.PUT(path, {
      params: { path: { id }, query: changeQuery(options), header: { 'If-Match': etag } },
      body: { description, expiresAtUtc, roles: change(value.roles) as Role[] },
    }),
  )
}

async function changeIdentity({ client, options }: Call, id: number, change: ChangeRoles) {
  const path = '/api/admin/principals/{id}'
  const { etag, value } = await versionOf(client.GET(path, { params: { path: { id } } }))
  const { displayName, issuer } = value
  return answerOf(
    client.PUT(path, {
      params: { path: { id }, query: changeQuery(options), header: { 'If-Match': etag } },
      body: { displayName, issuer, roles: change(value.roles) as Role[] },
    }),
  )
}

export const principalRoles = [
  list,
  changing(
    'grant',
    'Grant roles to a principal',
    ['muster principal roles grant "Ada Lovelace" group.read group.write', 'Beside the roles that she has'],
    (roles, named) => [...new Set([...roles, ...named])],
  ),
  changing(
    'revoke',
    'Revoke roles of a principal',
    ['muster principal roles revoke "Nightly report" group.read', 'It keeps its other roles'],
    (roles, named) => roles.filter((one) => !(named as string[]).includes(one)),
  ),
]
