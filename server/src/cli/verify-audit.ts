import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { print, printError } from '@muster/text/print'
import type { ConnectedDatabase } from '../database/connect.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { openAnchorKey, parseAnchorPublicKey } from '../features/audit/anchors/anchor-key.ts'
import { verifyAnchors } from '../features/audit/anchors/verify-anchors.ts'
import { verifyAuditTrail } from '../features/audit/verify-audit-trail.ts'
import { openServerKeys } from '../platform/authentication/server-keys.ts'
import { type Configuration, readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'

const help = `Usage: npm run verify-audit -- [--anchors FILE [--key KEY]]

Verify the hash chains of the audit trail. The service may be running.
The exit code is 0 if the trail is intact and 2 if it is not.

  --anchors FILE   also compare the trail with the anchors in FILE, which finds a trail that was rewritten as a whole
  --key KEY        the public key of the anchors, as 'npm run keys -- anchor-key' printed it; by default, the key in the
                   database, which somebody who controls the database could have replaced

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.`

type Options = { anchors?: string | undefined; key?: string | undefined }

/** Returns whether the trail is intact. */
async function verify({ db }: ConnectedDatabase, configuration: Configuration, options: Options): Promise<boolean> {
  const { entries, faults } = await verifyAuditTrail(db)
  for (const { chain, position, entryId, reason } of faults)
    printError(`chain ${chain}, position ${position}, entry ${entryId ?? '-'}: ${reason}`)
  print(
    faults.length === 0
      ? `The audit trail is intact: ${entries} entries.`
      : `The audit trail is NOT intact: ${faults.length} faults.`,
  )
  if (options.anchors === undefined) return faults.length === 0
  const seed = options.key === undefined ? (await openServerKeys(db, configuration.keyFile)).anchorSeed() : undefined
  const key = parseAnchorPublicKey(options.key ?? openAnchorKey(seed ?? Buffer.alloc(32)).publicKey)
  if (!key) throw new ConfigurationError('--key must be a public key: 32 bytes as base64.')
  const lines = (await readFile(options.anchors, 'utf8')).split('\n').filter((line) => line !== '')
  const anchored = await verifyAnchors(db, lines, key)
  for (const fault of anchored.faults) printError(fault)
  print(
    anchored.faults.length === 0
      ? `It matches all ${anchored.anchors} anchors.`
      : `It does NOT match the anchors: ${anchored.faults.length} faults.`,
  )
  return faults.length === 0 && anchored.faults.length === 0
}

function readArguments(): Options {
  try {
    const { values } = parseArgs({
      options: {
        anchors: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (!values.help) return values
    print(help)
    process.exit(0)
  } catch (error) {
    printError(`${(error as Error).message}\n\n${help}`)
    process.exit(1)
  }
}

const options = readArguments()
const configuration = readConfiguration(process.env)
const database = await openDatabaseForCommand(configuration)
try {
  process.exitCode = (await verify(database, configuration, options)) ? 0 : 2
} catch (error) {
  if (!(error instanceof ConfigurationError) && (error as NodeJS.ErrnoException).code === undefined) throw error
  printError((error as Error).message)
  process.exitCode = 1
} finally {
  await database.close()
}
