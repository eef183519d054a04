import { answerOf, versionOf } from '@muster/client'
import { visibleLine } from '@muster/text'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findPrincipal, type IdentityPrincipal, type Principal } from '../names/principals.ts'
import { chooseRoles, findRoles, listRoles, type Role } from '../names/roles.ts'
import { parseCount, parseDaysFromNow } from '../numbers.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'
import { principalRoles } from './principal-roles.ts'

const columns: readonly Column<Principal>[] = [
  ['client id', ({ clientId }) => clientId],
  ['description', ({ description }) => description],
  ['roles', ({ roles }) => roles.join(' ')],
  ['revoked', ({ isRevoked }) => (isRevoked ? 'yes' : 'no')],
  ['expires', ({ expiresAtUtc }) => timeOf(expiresAtUtc)],
  ['last used', ({ lastUsedUtc }) => timeOf(lastUsedUtc)],
]

const identityColumns: readonly Column<IdentityPrincipal>[] = [
  ['subject id', ({ subjectId }) => subjectId],
  ['type', ({ subjectType }) => subjectType],
  ['name', ({ displayName }) => displayName],
  ['roles', ({ roles }) => roles.join(' ')],
  ['issuer', ({ issuer }) => issuer],
  ['last used', ({ lastUsedUtc }) => timeOf(lastUsedUtc)],
]

const nameArgument = ['<principal>', 'Description or client ID of the principal', 'principal'] as const

const list = command({
  name: 'principal list',
  summary: 'List the local principals, or those of identity providers',
  options: [['--identity-providers', 'People and programs of identity providers instead']],
  examples: [
    ['muster principal list', 'Their roles, and when they were last used'],
    ['muster principal list --identity-providers', 'People, for example'],
  ],
  operations: ['listLocalPrincipals', 'listPrincipals'],
  async run({ client, options, output }) {
    if (options.identityProviders)
      return output.rows(identityColumns, await answerOf(client.GET('/api/admin/principals')))
    await output.rows(columns, await answerOf(client.GET('/api/admin/local-principals')))
  },
})

const create = command({
  name: 'principal create',
  summary: 'Create a local principal for a program',
  description:
    'The client ID and the secret are written to the standard output. The secret is not shown again. Without --roles, the command ' +
    'asks for the roles.',
  arguments: [['<description>', 'What the principal is for']],
  options: [
    ['--roles <roles...>', 'Roles of the principal, such as computer.read', 'role'],
    ['--days <count>', 'How long it is valid; a year by default'],
    ['--unlimited', 'It does not expire'],
    dryRunOption,
  ],
  examples: [
    ['muster principal create "Nightly report" --roles computer.read group.read', 'Valid for a year'],
    ['muster principal create Prometheus --roles metrics.read', 'Also writes a token for /metrics'],
  ],
  operations: ['createLocalPrincipal', 'listRoles'],
  async run(call) {
    const { args, client, options, output } = call
    const roles =
      options.roles === undefined ? await askForRoles(call) : await findRoles(client, options.roles as string[])
    const expiresAtUtc = options.unlimited ? null : parseDaysFromNow(options.days ?? 365)
    const answer = await answerOf(
      client.POST('/api/admin/local-principals', {
        params: { query: changeQuery(options) },
        body: {
          description: args[0] ?? null,
          roles,
          expiresAtUtc,
        },
      }),
    )
    if (options.dryRun) return output.result(answer, 'The principal would be created.')
    output.object(answer, [
      ['Client ID', answer.clientId],
      ['Secret', answer.plaintextKey],
      ...metricsTokenOf(answer),
      ['Expires', formatTime(answer.expiresAtUtc)],
    ])
  },
})

/** A principal that may only read metrics has a token for that, which does not expire. */
const metricsTokenOf = ({ metricsToken }: { metricsToken?: string }): [string, string][] =>
  metricsToken === undefined ? [] : [['Metrics token', metricsToken]]

/** A principal without roles can do nothing, and nobody would know why. */
async function askForRoles({ client, terminal }: Call): Promise<Role[]> {
  if (!terminal.ask)
    throw new UsageError(
      'Name the roles with --roles: without one, the principal can do nothing. muster principal roles list',
    )
  const roles = await listRoles(client)
  for (const { role, description } of roles) terminal.note(`  ${visibleLine(`${role}  ${description}`)}\n`)
  const answer = await terminal.ask('Roles of the principal, separated by spaces: ')
  return chooseRoles(
    roles,
    answer.split(/[\s,]+/).filter((word) => word !== ''),
  )
}

const rotate = command({
  name: 'principal rotate',
  summary: 'Give a local principal a new secret',
  description: 'The secret is written to the standard output, and is not shown again.',
  arguments: [nameArgument],
  options: [['--keep <hours>', 'How long the previous secrets stay valid; 24 hours by default'], dryRunOption],
  examples: [['muster principal rotate "Nightly report" --keep 2', 'Two hours to replace the secret']],
  operations: ['listLocalPrincipals', 'createLocalPrincipalSecret'],
  async run({ args, client, options, output }) {
    const { id } = await findPrincipal(client, args[0] ?? '')
    const answer = await answerOf(
      client.POST('/api/admin/local-principals/{id}/secrets', {
        params: { path: { id }, query: changeQuery(options) },
        body: { previousValidHours: parseCount(options.keep ?? 24, '--keep') },
      }),
    )
    if (options.dryRun) return output.result(answer, 'A new secret would be created.')
    output.object(answer, [['Client ID', answer.clientId], ['Secret', answer.plaintextKey], ...metricsTokenOf(answer)])
  },
})

const revoke = command({
  name: 'principal revoke',
  summary: 'Revoke a local principal, or restore it',
  arguments: [nameArgument],
  options: [['--undo', 'Restore it'], dryRunOption],
  examples: [['muster principal revoke "Nightly report"', 'Its tokens and sessions end at once']],
  operations: ['listLocalPrincipals', 'getLocalPrincipal', 'setLocalPrincipalRevoked'],
  async run({ args, client, options, output }) {
    const { id } = await findPrincipal(client, args[0] ?? '')
    const { etag } = await versionOf(client.GET('/api/admin/local-principals/{id}', { params: { path: { id } } }))
    const answer = await answerOf(
      client.PATCH('/api/admin/local-principals/{id}/revoke', {
        params: { path: { id }, query: changeQuery(options), header: { 'If-Match': etag } },
        body: { isRevoked: !options.undo },
      }),
    )
    const name = answer.description ?? answer.clientId
    output.result(answer, `${name} ${options.dryRun ? 'would be' : 'is'} ${options.undo ? 'restored' : 'revoked'}.`)
  },
})

export const principal = [list, create, rotate, revoke, ...principalRoles]
