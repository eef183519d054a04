/** `call` and batch files need more percent signs or a caret, and lead to the same. */
const mention = /%\^?(MUSTER_(?:VAR|SECRET)_\w*)/i

/**
 * cmd replaces %NAME% before it parses the line, so everything in the value that has a meaning to cmd would have it: `&` would
 * begin another command. Everybody who may set variables chooses values, and nobody signs them.
 */
export function findShellFault(lines: string): string | undefined {
  const [, name] = mention.exec(lines) ?? []
  if (name === undefined) return undefined
  return (
    `mentions %${name}%, and cmd would run what it finds in the value. Read the variable in a program instead: in PowerShell as ` +
    `$env:${name}, in a batch file as !${name}! after 'setlocal EnableDelayedExpansion'`
  )
}
