import { answerOf, type components } from '@muster/client'
import { visibleLine } from '@muster/text'
import { changeQuery, command, dryRunOption } from '../command.ts'
import { chooseOne, ifSimilar, isSameName, searchList } from '../names/choose.ts'
import { findGroup } from '../names/groups.ts'
import { parseCount, parseDaysFromNow } from '../numbers.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'

type Token = components['schemas']['EnrolmentToken']
type CreatedToken = components['schemas']['CreatedEnrolmentToken']

const columns: readonly Column<Token>[] = [
  ['id', ({ id }) => id],
  ['description', ({ description }) => description],
  ['group', ({ groupPath }) => groupPath],
  ['uses', ({ uses, maxUses }) => `${uses}/${maxUses ?? '∞'}`],
  ['expires', ({ expiresAtUtc }) => timeOf(expiresAtUtc)],
  ['revoked', ({ revokedAtUtc }) => timeOf(revokedAtUtc)],
]

const create = command({
  name: 'enrol-token create',
  summary: 'Create a token with which agents enrol',
  description:
    'The token is written to the standard output, and is not shown again. On a terminal, the commands that enrol a computer follow.',
  arguments: [['[description]', 'What it is for']],
  options: [
    ['--group <path>', 'The group that the computers join', 'group'],
    ['--uses <count>', 'How many agents may use it; any number by default'],
    ['--days <count>', 'How long it is valid; 7 days by default'],
    dryRunOption,
  ],
  examples: [
    ['muster enrol-token create "Delivery of May" --group Office/Berlin --uses 25', 'For 25 computers of Berlin'],
    ['TOKEN=$(muster enrol-token create -o json | jq -r .token)', 'For scripts'],
  ],
  operations: ['createEnrolmentToken', 'listGroupTree'],
  async run({ args, client, options, output, terminal }) {
    const expiresAtUtc = parseDaysFromNow(options.days ?? 7)
    const maxUses = options.uses === undefined ? null : parseCount(options.uses, '--uses', 1)
    const group = options.group === undefined ? undefined : await findGroup(client, String(options.group))
    const token = await answerOf(
      client.POST('/api/enrolment-tokens', {
        params: { query: changeQuery(options) },
        body: {
          description: args[0] ?? null,
          groupId: group?.id ?? null,
          maxUses,
          expiresAtUtc,
        },
      }),
    )
    const until = `Valid until ${visibleLine(formatTime(token.expiresAtUtc))}.\n`
    if (options.dryRun) {
      terminal.note(until)
      return output.result(token, 'The token would be created.')
    }
    output.result(token, token.token)
    // Commands contain the token: the log of a pipeline must not.
    terminal.note(terminal.showsProgress && output.format === 'table' ? until + describeCommands(token) : until)
  },
})

/** How computers enrol with the token. A shell would run a second line that is pasted. The API has further commands, for other agents. */
function describeCommands({ commands, installs }: CreatedToken): string {
  if (!commands) return ''
  return [
    `\nOn Linux${installs.linux ? '' : ', after the agent was installed'}:\n\n${visibleLine(commands.linux)}\n`,
    `\nOn Windows, in an elevated prompt${installs.windows ? '' : ', with muster-agent.msi in the current folder'}:\n\n${visibleLine(commands.windows)}\n`,
    '\nWith -o json, you get these commands and those for GLPI and FusionInventory agents.\n',
  ].join('')
}

const list = command({
  name: 'enrol-token list',
  summary: 'List the enrolment tokens',
  examples: [['muster enrol-token list', 'Their groups, uses and expiry']],
  operations: ['listEnrolmentTokens'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/enrolment-tokens'))
  },
})

const revoke = command({
  name: 'enrol-token revoke',
  summary: 'Revoke an enrolment token',
  arguments: [['<token>', 'Description of the token, or its id']],
  options: [dryRunOption],
  examples: [['muster enrol-token revoke "Delivery of May"', 'Agents that have enrolled stay']],
  operations: ['listEnrolmentTokens', 'revokeEnrolmentToken'],
  async run({ args: [name = ''], client, options, output }) {
    const { found, similar } = await searchList(
      client.pages('/api/enrolment-tokens', { query: { top: 1_000 } }),
      (one) => isSameName(one.description, name) || String(one.id) === name,
      (one) => ifSimilar(name, one.description),
    )
    const { id } = chooseOne(
      found,
      'enrolment token',
      name,
      (one) => `${one.id}  ${one.description}`,
      () => similar,
    )
    await client.DELETE('/api/enrolment-tokens/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id }, `The token ${name} ${options.dryRun ? 'would be' : 'is'} revoked.`)
  },
})

export const enrolToken = [create, list, revoke]
