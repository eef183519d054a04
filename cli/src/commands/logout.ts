import { visibleLine } from '@muster/text'
import { command } from '../command.ts'
import { changeCredentials } from '../credentials/credentials-file.ts'
import { revokeSignIn } from '../credentials/provider-tokens.ts'
import { UsageError } from '../errors.ts'

export const logout = command({
  name: 'logout',
  summary: 'Delete the stored credentials of a service',
  description: 'A sign-in at an identity provider is ended there, if the provider supports it.',
  arguments: [['[profile]', 'Name of the profile; the current one by default', 'profile']],
  examples: [['muster logout muster.example.org', 'The next command needs another sign-in']],
  operations: [],
  async runLocally({ args, output, terminal }) {
    const { name, profile } = await changeCredentials(terminal.environment, (file) => {
      const chosen = args[0] ?? file.current ?? ''
      const found = file.profiles[chosen]
      if (!found) throw new UsageError(`There is no profile "${chosen}".`)
      delete file.profiles[chosen]
      if (file.current === chosen) file.current = Object.keys(file.profiles)[0] ?? null
      return { name: chosen, profile: found }
    })
    if (profile.provider)
      await revokeSignIn(profile.provider).catch((error: Error) =>
        terminal.note(`The sign-in could not be ended at the identity provider: ${visibleLine(error.message)}\n`),
      )
    output.result({ profile: name }, `The credentials of ${name} were deleted.`)
  },
})
