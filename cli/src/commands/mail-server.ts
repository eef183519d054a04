import { readFile } from 'node:fs/promises'
import { answerOf } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { parseCount } from '../numbers.ts'

const show = command({
  name: 'mail-server show',
  summary: 'Show the mail server through which reports are sent',
  examples: [['muster mail-server show', 'The password is never shown']],
  operations: ['getMailServer'],
  async run({ client, output }) {
    const server = await answerOf(client.GET('/api/admin/mail-server'))
    output.object(server, [
      ['Host', server.host],
      ['Port', server.port],
      ['TLS', server.tlsMode],
      ['User', server.userName],
      ['Password', server.hasPassword ? 'set' : 'none'],
      ['Sender', server.fromAddress],
      ['Recipients in', server.recipientDomains.join(' ')],
      ['Authority', server.caCertificates === null ? undefined : 'its own'],
    ])
  },
})

const set = command({
  name: 'mail-server set',
  summary: 'Set the mail server through which reports are sent',
  description:
    'The connection is always encrypted, and the certificate verified. The password is read from the standard input or asked for; without a user, there is none.',
  arguments: [
    ['<host>', 'Name of the server, as its certificate has it'],
    ['<sender>', 'Address of the sender'],
  ],
  options: [
    ['--domains <domains...>', 'Mails are sent to addresses in these domains only'],
    ['--port <port>', '587 by default, or 465 with --implicit-tls'],
    ['--implicit-tls', 'The connection begins with TLS; by default, with STARTTLS'],
    ['--user <name>', 'The user of the service at the server'],
    ['--keep-password', 'Keep the password that is stored'],
    ['--ca <file>', 'PEM file with the certificate of the authority of the server'],
    dryRunOption,
  ],
  examples: [
    [
      'muster mail-server set smtp.example.org muster@example.org --domains example.org --user muster',
      'Asks for the password',
    ],
  ],
  operations: ['setMailServer'],
  async run(call) {
    const { args, client, options, output } = call
    const [host = '', fromAddress = ''] = args
    const isImplicit = options.implicitTls === true
    if (!Array.isArray(options.domains)) throw new UsageError('Name the domains of the recipients with --domains.')
    const password = await readPassword(call)
    const answer = await answerOf(
      client.PUT('/api/admin/mail-server', {
        params: { query: changeQuery(options) },
        body: {
          host,
          fromAddress,
          port: options.port === undefined ? (isImplicit ? 465 : 587) : parseCount(options.port, '--port', 1),
          tlsMode: isImplicit ? 'Implicit' : 'StartTls',
          recipientDomains: options.domains as string[],
          userName: options.user === undefined ? null : String(options.user),
          caCertificates: options.ca === undefined ? null : await readFile(String(options.ca), 'utf8'),
          ...(password !== undefined && { password }),
        },
      }),
    )
    output.result(answer, `${host} ${options.dryRun ? 'would be' : 'is'} the mail server.`)
  },
})

/** Undefined to keep the password that is stored. */
async function readPassword({ options, terminal }: Call): Promise<string | null | undefined> {
  if (options.keepPassword === true) return undefined
  if (options.user === undefined) return null
  const given = terminal.askSecret
    ? await terminal.askSecret(`Password of ${String(options.user)}: `)
    : (await terminal.readInput()).replace(/\r?\n$/, '')
  return given === '' ? null : given
}

const test = command({
  name: 'mail-server test',
  summary: 'Send a test mail, and show what became of it',
  arguments: [['<recipient>', 'Who gets the mail']],
  examples: [['muster mail-server test it@example.org', 'Exits with 1 if the server does not take it']],
  operations: ['testMailServer'],
  async run({ args: [recipient = ''], client, output }) {
    const answer = await answerOf(client.POST('/api/admin/mail-server/test', { body: { recipient } }))
    if (answer.error !== null) throw new CommandFailure(answer.error)
    output.result(answer, `The server took the mail to ${recipient}.`)
  },
})

const remove = command({
  name: 'mail-server delete',
  summary: 'Remove the mail server with its password',
  options: [dryRunOption],
  examples: [['muster mail-server delete', 'Reports are not mailed any more']],
  operations: ['getMailServer', 'deleteMailServer'],
  async run({ client, options, output }) {
    const { host } = await answerOf(client.GET('/api/admin/mail-server'))
    await client.DELETE('/api/admin/mail-server', { params: { query: changeQuery(options) } })
    output.result({ host }, `${host} ${options.dryRun ? 'would no longer be' : 'is no longer'} the mail server.`)
  },
})

export const mailServer = [show, set, test, remove]
