import type { LeasedWorkItem } from './refusals.ts'

/** The variables of a job, and the beginning of every command line that completes them. */
export type JobEnvironment = { envs: Record<string, string>; prefix: string }

/** What a process can get: by Linux in bytes, by Windows in characters, with the name and the end of the variable. */
const limits = {
  unix: { max: 131_072, unit: 'bytes', lengthOf: (text: string) => Buffer.byteLength(text) },
  windows: { max: 32_767, unit: 'characters', lengthOf: (text: string) => text.length },
}

/** The environment of the commands of a job, or why an agent cannot pass it on. */
export function buildJobEnvironment(
  item: Pick<LeasedWorkItem, 'kind' | 'package'>,
  variables: Record<string, string>,
  isWindows: boolean,
): JobEnvironment | string {
  const environment = namedVariables(item, variables)
  const { envs, prefix } = isWindows ? { envs: environment, prefix: '' } : encodeForUnix(environment)
  const { max, unit, lengthOf } = isWindows ? limits.windows : limits.unix
  for (const [name, value] of Object.entries(envs)) {
    const length = lengthOf(`${name}=${value}\0`)
    if (length > max)
      return `The variable ${name} has ${length} ${unit} with its name, and a process of this computer can get ${max}.`
  }
  return { envs, prefix }
}

function namedVariables(
  { kind, package: target }: Pick<LeasedWorkItem, 'kind' | 'package'>,
  variables: Record<string, string>,
): Record<string, string> {
  const entries = Object.entries(variables).map(([name, value]) => [
    `MUSTER_VAR_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`,
    value,
  ])
  return {
    ...Object.fromEntries(entries),
    MUSTER_PACKAGE_NAME: target?.name ?? '',
    MUSTER_PACKAGE_VERSION: target?.version ?? '',
    MUSTER_WORK_KIND: kind,
  }
}

/**
 * Agents on Unix write environment variables in Latin-1 where they can. A value that would differ is written in ASCII, and the
 * command line decodes it: the line itself has only names, so no value is ever a part of it.
 */
function encodeForUnix(environment: Record<string, string>): JobEnvironment {
  const envs: Record<string, string> = {}
  let prefix = ''
  let count = 0
  for (const [name, value] of Object.entries(environment)) {
    if (/^\p{ASCII}*$/u.test(value)) {
      envs[name] = value
      continue
    }
    // No variable of a computer has such a name.
    const encoded = `MUSTER_ENCODED_${++count}`
    envs[encoded] = toEscapes(value)
    // A full stop keeps line feeds at the end, which the shell would remove.
    prefix += `${name}=$(printf '%b.' "$${encoded}") ; export ${name}="\${${name}%.}" ; unset ${encoded} ; `
  }
  return { envs, prefix }
}

/** For `%b` of printf: bytes in octal digits. */
function toEscapes(value: string): string {
  const escapeOf = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`
  return [...Buffer.from(value)]
    .map((byte) => (byte < 0x20 || byte > 0x7e || byte === 0x5c ? escapeOf(byte) : String.fromCharCode(byte)))
    .join('')
}
