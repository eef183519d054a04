import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { print, printError } from '@muster/text/print'
import type { Database } from '../database/connect.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { openAnchorKey } from '../features/audit/anchors/anchor-key.ts'
import { countSealedValues, resealValues } from '../features/variables/reseal-values.ts'
import { openServerKeys } from '../platform/authentication/server-keys.ts'
import { type Configuration, readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { readKeyFile } from '../platform/keys/key-file.ts'
import { listServerKeys, listSigningKeys } from '../platform/keys/protect-keys.ts'
import {
  addValueKey,
  loadValueKeys,
  purgeValueKeys,
  replaceKeyFile,
  rotateSigningKey,
} from '../platform/keys/rotate-keys.ts'
import { runCommand } from './run-command.ts'

const help = `Manage the keys of Muster. The service may be running, except for replace-file.

  npm run keys -- list                    show the keys and how many values each has sealed
  npm run keys -- rotate signing          create the key that signs access tokens from now on
  npm run keys -- rotate values           create a key for secret values and seal all values again with it
  npm run keys -- anchor-key              print the public key that verifies anchors of the audit trail
  npm run keys -- create-file FILE        create a key file for MUSTER_KEY_FILE
  npm run keys -- replace-file OLD_FILE   protect the keys with MUSTER_KEY_FILE instead of OLD_FILE

  --end-tokens   with rotate signing: end all access tokens at once, instead of when they expire

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.
'rotate values' continues an interrupted rotation.`

type Action = (db: Database, configuration: Configuration, signal: AbortSignal) => Promise<string>

async function list(db: Database, { keyFile }: Configuration): Promise<string> {
  const counts = await countSealedValues(db)
  const lines = (await listServerKeys(db)).map(({ purpose, generation, key_file_id }) => ({
    name: `${purpose} ${generation}`,
    key_file_id,
    use: purpose === 'secret-values' ? `${counts.get(generation) ?? 0} values` : 'does not rotate',
  }))
  const signing = (await listSigningKeys(db)).map(({ id, key_file_id }, index) => ({
    name: `signing ${id}`,
    key_file_id,
    use: index === 0 ? 'signs' : 'verifies',
  }))
  for (const { name, key_file_id, use } of [...lines, ...signing])
    print(`${name.padEnd(46)} ${(key_file_id ?? 'no key file').padEnd(16)}  ${use}`)
  return keyFile ? `MUSTER_KEY_FILE is ${keyFile.id}.` : 'MUSTER_KEY_FILE is not set.'
}

async function rotateValues(db: Database, { keyFile }: Configuration, signal: AbortSignal): Promise<string> {
  const existing = [...(await loadValueKeys(db, keyFile)).keys()]
  const counts = await countSealedValues(db)
  const isUnfinished = existing.length > 1 && [...counts.keys()].some((key) => key !== Math.max(...existing))
  if (isUnfinished) printError(`Continuing the rotation to key ${Math.max(...existing)}.`)
  const generation = isUnfinished ? Math.max(...existing) : await addValueKey(db, keyFile)
  const keys = await loadValueKeys(db, keyFile)
  const total = [...counts].reduce((sum, [key, values]) => sum + (key === generation ? 0 : values), 0)
  let done = 0
  const onBatch = (table: string, values: number) => {
    done += values
    printError(`  ${table.padEnd(28)} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} values`)
  }
  // A node may seal with the previous key until it is notified. Those values are found by the next pass.
  while ((await resealValues(db, { keys, onBatch, signal })) > 0);
  const used = await countSealedValues(db)
  const purged = await purgeValueKeys(
    db,
    existing.filter((key) => !used.has(key)),
  )
  const deleted = purged > 0 ? ` Deleted ${purged} unused keys.` : ''
  return `All ${(used.get(generation) ?? 0).toLocaleString('en')} values are sealed with key ${generation}.${deleted}`
}

async function createFile(path: string): Promise<string> {
  await writeFile(path, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  return `Created the key file ${path} (${readKeyFile(path).id}). Without it, the keys cannot be read: keep a copy.`
}

function findAction([action, argument]: readonly string[], endTokens: boolean): Action {
  if (action === 'list') return list
  if (action === 'rotate' && argument === 'values') return rotateValues
  if (action === 'rotate')
    return async (db, { keyFile }) =>
      `The key ${await rotateSigningKey(db, keyFile, endTokens)} signs access tokens from now on.`
  if (action === 'anchor-key')
    return async (db, { keyFile }) => {
      print(openAnchorKey((await openServerKeys(db, keyFile)).anchorSeed()).publicKey)
      return 'Give this key to the verifier: npm run verify-audit -- --anchors FILE --key KEY'
    }
  return async (db, { keyFile }) => {
    if (!keyFile) throw new ConfigurationError('Set MUSTER_KEY_FILE to the new key file.')
    await replaceKeyFile(db, readKeyFile(argument ?? ''), keyFile)
    return `The keys are protected by ${keyFile.id}. Start the service with this file.`
  }
}

const argumentCounts = new Map(
  Object.entries({
    list: 0,
    rotate: 1,
    'anchor-key': 0,
    'create-file': 1,
    'replace-file': 1,
  }),
)

await runCommand({
  help,
  options: { 'end-tokens': { type: 'boolean' } },
  interruption: 'Interrupted. Start the command again to continue.',
  accepts: ([action = '', ...rest]) =>
    argumentCounts.get(action) === rest.length && (action !== 'rotate' || /^(signing|values)$/.test(rest[0] ?? '')),
  async run({ names, flags, signal }) {
    if (names[0] === 'create-file') return createFile(names[1] ?? '')
    const configuration = readConfiguration(process.env)
    const database = await openDatabaseForCommand(configuration, { warn: printError })
    try {
      return await findAction(names, flags['end-tokens'] === true)(database.db, configuration, signal)
    } finally {
      await database.close()
    }
  },
})
