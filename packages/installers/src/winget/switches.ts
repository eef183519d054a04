import type { WingetInstaller } from './winget-manifest.ts'

/** Arguments of an installer: as words, or as a line for the shell if the words have quotation marks in them. */
export type Arguments = { words: string[] } | { line: string }

/** The placeholders of winget for paths that its callers choose. */
const placeholder = /<(INSTALLPATH|LOGPATH)>/i

/** cmd gives these a meaning outside of quotation marks, and the percent sign everywhere. */
const forShell = /[&|<>^!()]/

/** A line break begins another command, and what nobody sees cannot be confirmed. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * The switches of a manifest as arguments. Texts without quotation marks are split at spaces; others stay as they are, because
 * each installer reads quotation marks in its own way. Undefined if the shell would read something other than the text says.
 */
export function toArguments(texts: readonly string[]): Arguments | undefined {
  const text = texts.join(' ').trim()
  if (unseen.test(text) || placeholder.test(text)) return undefined
  if (!text.includes('"')) return { words: text.split(/\s+/).filter((word) => word !== '') }
  return isPlainLine(text) ? { line: text } : undefined
}

/** Whether cmd hands the line on as it is. */
export function isPlainLine(line: string): boolean {
  const parts = line.split('"')
  const isClosed = parts.length % 2 === 1
  return (
    isClosed &&
    !unseen.test(line) &&
    !line.includes('%') &&
    parts.every((part, at) => at % 2 === 1 || !forShell.test(part))
  )
}

/** The switches with which the installer asks no questions, if the manifest states any. */
export function statedSilence({ switches }: WingetInstaller): string | undefined {
  return switches.Silent ?? switches.SilentWithProgress
}

/** Options of msiexec that the agent gives by itself, or that only show more or less. */
const msiOptions = /^\/(quiet|passive|q[nrbf]?[+-]?!?|norestart|promptrestart|forcerestart|i)$/i

const msiProperty = /^([A-Za-z_][A-Za-z0-9_.]{0,71})=(?:"([^"]*)"|([^"\s]*))$/

/** The properties in switches for msiexec, or undefined if they contain anything that is neither a property nor such an option. */
export function toMsiProperties(texts: readonly string[]): Record<string, string> | undefined {
  const properties = new Map<string, string>()
  for (const word of texts.join(' ').match(/(?:[^\s"]|"[^"]*")+/g) ?? []) {
    if (msiOptions.test(word)) continue
    const [, name, quoted, plain = ''] = msiProperty.exec(word) ?? []
    if (name === undefined) return undefined
    const value = quoted ?? plain
    // The agent decides about a restart, and asks for none.
    if (name.toUpperCase() !== 'REBOOT') properties.set(name, value)
  }
  return Object.fromEntries(properties)
}
