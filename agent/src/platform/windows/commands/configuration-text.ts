import { ExpectedError } from '../../../expected-error.ts'

const names = { server: 'SERVER', token: 'TOKEN', ca: 'CA', 'trust-key': 'TRUST_KEY' } as const

/** What the installer was given. A property that is not set is empty. */
export type ConfigurationValues = { [name in keyof typeof names]?: string | undefined }

/** The content of the configuration file. Single quotation marks keep everything between them as it is. */
export function toConfiguration(values: ConfigurationValues): string {
  const lines = Object.entries(names).flatMap(([option, name]) => {
    const value = values[option as keyof typeof names]
    if (!value) return []
    if (/['\p{Cc}]/u.test(value))
      throw new ExpectedError(`${name} must not contain a single quotation mark or a control character.`)
    return [`MUSTER_AGENT_${name}='${value}'`]
  })
  return `${lines.join('\n')}\n`
}
