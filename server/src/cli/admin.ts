import { userInfo } from 'node:os'
import { print, printError } from '@muster/text/print'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { hasEmbeddedDatabase } from '../database/embedded-postgres/find-running-postgres.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { createAdministratorLink } from '../features/principals/administrator-link.ts'
import { resetAdministrator } from '../features/principals/reset-administrator.ts'
import { findLinkAddress, linkLifetimeMinutes } from '../features/principals/sign-in-links.ts'
import { openServerKeys, type ServerKeys } from '../platform/authentication/server-keys.ts'
import { type Configuration, readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { runCommand } from './run-command.ts'

const help = `Sign in to Muster without a secret, or regain access when no administrator can sign in any more. The service may be
running.

  npm run admin -- link [--client-id ID]

Prints a link that signs in as a local principal. It works once, for ${linkLifetimeMinutes} minutes: with TLS, in any browser, and without
it in a browser on this machine.

  npm run admin -- reset [--client-id ID]

Gives an administrator a new secret, which is printed once. The principal gets the role admin.manage. Its previous
secrets and its sessions end at once, and so do its revocation and its expiry.

  --client-id ID   the local principal; reset creates it if it does not exist
                   (default: the first administrator)

The audit trail shows both. The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the
one in MUSTER_DATA_DIR. A link has the address of MUSTER_PUBLIC_URL with TLS, and otherwise
that of MUSTER_HOST and MUSTER_PORT.`

type Run = {
  db: Database
  keys: ServerKeys
  configuration: Configuration
  clientId: string | undefined
  /** Who runs the command, for the audit trail. */
  operator: string
}

const commands = new Map<string, (run: Run) => Promise<string>>(
  Object.entries({
    async link({ db, keys, configuration, clientId, operator }: Run) {
      const places = { addresses: listAddresses(configuration), publicUrl: configuration.publicUrl }
      if (!configuration.localSignIn)
        throw new ConfigurationError('A link needs sign-in with client ID and secret, but MUSTER_LOCAL_SIGN_IN is off.')
      if (!configuration.signInLinks)
        throw new ConfigurationError('MUSTER_SIGN_IN_LINKS is off. Use the client ID and secret to sign in.')
      const address = findLinkAddress(places, '')
      if (address === undefined)
        throw new ConfigurationError(
          'A link needs TLS, or plain HTTP on this machine. Use the client ID and secret to sign in.',
        )
      const token = await createAdministratorLink(db, keys, { clientId, operator })
      print(findLinkAddress(places, token) ?? '')
      const where = address.startsWith('https:') ? '' : ', in a browser on this machine'
      return `The link works once, for ${linkLifetimeMinutes} minutes${where}.`
    },
    async reset({ db, keys, clientId, operator }: Run) {
      const reset = await resetAdministrator(db, keys, { clientId, operator })
      print(`client ID      ${reset.clientId}\nclient secret  ${reset.secret}`)
      const done = reset.isNew ? 'A new administrator was created.' : 'The administrator has a new secret.'
      return `${done} The secret is shown only once. Store it in a safe place.`
    },
  }),
)

await runCommand({
  help,
  accepts: ([name = '', ...others]) => commands.has(name) && others.length === 0,
  options: { 'client-id': { type: 'string' } },
  async run({ names, flags }) {
    const clientId = parseClientId(flags['client-id'])
    const configuration = readConfiguration(process.env)
    const { databaseUrl, dataDirectory } = configuration
    if (!databaseUrl && !(await hasEmbeddedDatabase(dataDirectory)))
      throw new ConfigurationError(
        `There is no database in ${dataDirectory}. Set MUSTER_DATA_DIR or MUSTER_DATABASE_URL.`,
      )
    const database = await openDatabaseForCommand(configuration, { warn: printError })
    try {
      const { db } = database
      await requireMigratedDatabase(db)
      const keys = await openServerKeys(db, configuration.keyFile)
      const command = commands.get(names[0] ?? '') as (run: Run) => Promise<string>
      return await command({ db, keys, configuration, clientId, operator: userInfo().username })
    } finally {
      await database.close()
    }
  },
})

function listAddresses({ host, port, plainHttp, tls }: Configuration): string[] {
  const name = host.includes(':') ? `[${host}]` : host
  return [
    ...(plainHttp && port !== 0 ? [`http://${name}:${port}`] : []),
    ...(tls && tls.port !== 0 ? [`https://${name}:${tls.port}`] : []),
  ]
}

function parseClientId(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const clientId = String(value)
  if (/^[\x21-\x7e]{1,255}$/.test(clientId)) return clientId
  throw new ConfigurationError('--client-id must have 1 to 255 printable ASCII characters without spaces.')
}

async function requireMigratedDatabase(db: Database): Promise<void> {
  const { rows } = await sql<{ isMigrated: boolean }>`
    select to_regclass('sign_in_links') is not null as "isMigrated"`.execute(db)
  if (!rows[0]?.isMigrated)
    throw new ConfigurationError(
      'The database has no data of this version of Muster. Start the service once, or check MUSTER_DATABASE_URL.',
    )
}
