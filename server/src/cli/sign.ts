// Signs packages. It needs neither the service nor its database, so the key can stay on a machine without a network.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { PackageFault, signPackage } from '@muster/package-format'
import {
  createKeyFiles,
  MinisignFault,
  openKeyFile,
  type PublicKey,
  parsePublicKey,
  SigningError,
  signKeyList,
} from '@muster/signing'
import { visibleJson } from '@muster/text'
import { print, printError } from '@muster/text/print'

const help = `Usage: npm run sign -- --new-key FILE [--no-passphrase]
       npm run sign -- FOLDER... --key FILE
       npm run sign -- --trust PUBLIC_KEY_FILE... --serial NUMBER --key FILE

  --new-key FILE   write a new secret key to FILE and its public key to FILE.pub. Keep the secret key offline.
  --no-passphrase  do not encrypt the new secret key
  --key FILE       secret key to sign with, of this command or of minisign

  FOLDER           folder of a package: list the hashes of its files in muster-package.json, and write the signature of
                   that file to muster-package.json.minisig. Sign again after every change.

  --trust FILE     public key that agents are to trust from now on; repeat it for several. Prints settings of an agent
                   template that replace the pinned keys. --key must be a key that the agents have pinned.
  --serial NUMBER  must be higher than that of the list before; the keys of the enrolment have the serial 0

MUSTER_SIGN_PASSPHRASE has the passphrase of the key; without it, the command asks.`

const options = {
  'new-key': { type: 'string' },
  'no-passphrase': { type: 'boolean' },
  key: { type: 'string' },
  trust: { type: 'string', multiple: true },
  serial: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

async function readPublicKey(file: string): Promise<PublicKey> {
  try {
    return parsePublicKey(await readFile(file, 'utf8'))
  } catch (error) {
    throw error instanceof MinisignFault ? new SigningError(`${file} ${error.message}.`) : error
  }
}

async function run(): Promise<void> {
  const { values, positionals: folders } = parseArgs({ options, allowPositionals: true })
  const { 'new-key': newKey, key, trust, serial } = values
  if (values.help) return print(help)
  if (newKey && !key && !trust && folders.length === 0)
    return print(await createKeyFiles(newKey, !values['no-passphrase']))
  if (!key || newKey || Boolean(trust) === folders.length > 0) throw new SigningError(help)
  if (trust && !/^[1-9]\d{0,8}$/.test(serial ?? ''))
    throw new SigningError('--serial must be a whole number above 0, and higher than that of the list before.')
  const secretKey = await openKeyFile(key)
  if (trust) {
    const settings = signKeyList(await Promise.all(trust.map(readPublicKey)), Number(serial), secretKey)
    return print(visibleJson(JSON.stringify(settings, null, 2)))
  }
  for (const folder of folders) print(await signPackage(folder, secretKey))
}

try {
  await run()
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const isExpected = error instanceof SigningError || error instanceof PackageFault || typeof code === 'string'
  printError(isExpected ? message : error)
  process.exitCode = 1
}
