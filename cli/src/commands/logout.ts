import { command } from '../command.ts'
import { changeCredentials } from '../credentials/credentials-file.ts'
import { UsageError } from '../errors.ts'

export const logout = command({
  name: 'logout',
  summary: 'Delete the stored credentials of a service',
  arguments: [['[profile]', 'Name of the profile; the current one by default']],
  examples: [['muster logout muster.example.org', 'The next command needs another sign-in']],
  operations: [],
  async runLocally({ args, output, terminal }) {
    let deleted = ''
    await changeCredentials(terminal.environment, (file) => {
      deleted = args[0] ?? file.current ?? ''
      if (!file.profiles[deleted]) throw new UsageError(`There is no profile "${deleted}".`)
      delete file.profiles[deleted]
      if (file.current === deleted) file.current = Object.keys(file.profiles)[0] ?? null
    })
    output.result({ profile: deleted }, `The credentials of ${deleted} were deleted.`)
  },
})
