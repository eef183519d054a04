import { command } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'

export const sign = command({
  name: 'sign',
  summary: 'Sign the folders of packages, without the service',
  description: 'MUSTER_SIGN_PASSPHRASE has the passphrase of the key; without it, the command asks.',
  arguments: [['[folders...]', 'Folders of packages. Sign them again after every change']],
  options: [
    ['--key <file>', 'The secret key, of this command or of minisign'],
    ['--new-key <file>', 'Write a new secret key to this file, and its public key beside it'],
    ['--no-passphrase', 'Do not encrypt the new secret key'],
  ],
  examples: [
    ['muster sign --new-key release.key', 'Once; keep the secret key offline'],
    ['muster sign firefox-128 --key release.key', 'Writes muster-package.json.minisig into the folder'],
  ],
  operations: [],
  async runLocally({ names, options, output }) {
    // Loaded only here: other commands need none of it.
    const { createKeyFiles, openKeyFile, SigningError } = await import('@muster/signing')
    const { signPackage } = await import('@muster/package-format')
    const fail = (error: Error) => {
      throw error instanceof SigningError ? new CommandFailure(error.message.split('\n')) : error
    }
    if (options.newKey !== undefined) {
      const file = String(options.newKey)
      return output.result({ file }, await createKeyFiles(file, options.passphrase !== false).catch(fail))
    }
    if (options.key === undefined || names.length === 0) throw new UsageError('Name folders and --key, or --new-key.')
    const key = await openKeyFile(String(options.key)).catch(fail)
    for (const folder of names) output.result({ folder }, await signPackage(folder, key).catch(fail))
  },
})
