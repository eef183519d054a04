import { userInfo } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { hasEmbeddedDatabase } from '../database/embedded-postgres/find-running-postgres.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { resetAdministrator } from '../features/principals/reset-administrator.ts'
import { openServerKeys } from '../platform/authentication/server-keys.ts'
import { readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { runCommand } from './run-command.ts'

const help = `Regain access to Muster when no administrator can sign in any more. The service may be running.

  npm run admin -- reset [--client-id ID]

Gives an administrator a new secret, which is printed once. The principal gets the role admin.manage. Its previous
secrets and its sessions end at once, and so do its revocation and its expiry. The audit trail shows the reset.

  --client-id ID   the local principal to reset; created if it does not exist
                   (default: the first administrator)

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.`

await runCommand({
  help,
  accepts: (names) => names.length === 1 && names[0] === 'reset',
  options: { 'client-id': { type: 'string' } },
  async run({ flags }) {
    const clientId = parseClientId(flags['client-id'])
    const configuration = readConfiguration(process.env)
    const { databaseUrl, dataDirectory } = configuration
    if (!databaseUrl && !(await hasEmbeddedDatabase(dataDirectory)))
      throw new ConfigurationError(
        `There is no database in ${dataDirectory}. Set MUSTER_DATA_DIR or MUSTER_DATABASE_URL.`,
      )
    const database = await openDatabaseForCommand(configuration, { warn: console.error })
    try {
      await requireMigratedDatabase(database.db)
      const keys = await openServerKeys(database.db, configuration.keyFile)
      const reset = await resetAdministrator(database.db, keys, { clientId, operator: userInfo().username })
      console.log(`client ID      ${reset.clientId}\nclient secret  ${reset.secret}`)
      const done = reset.isNew ? 'A new administrator was created.' : 'The administrator has a new secret.'
      return `${done} The secret is shown only once. Store it in a safe place.`
    } finally {
      await database.close()
    }
  },
})

function parseClientId(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const clientId = String(value)
  if (/^[\x21-\x7e]{1,255}$/.test(clientId)) return clientId
  throw new ConfigurationError('--client-id must have 1 to 255 printable ASCII characters without spaces.')
}

async function requireMigratedDatabase(db: Database): Promise<void> {
  const { rows } = await sql<{ isMigrated: boolean }>`
    select to_regclass('principal_secrets') is not null as "isMigrated"`.execute(db)
  if (!rows[0]?.isMigrated)
    throw new ConfigurationError(
      'The database has no data of this version of Muster. Start the service once, or check MUSTER_DATABASE_URL.',
    )
}
