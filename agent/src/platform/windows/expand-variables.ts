/**
 * Replaces %NAME% as cmd does: a name that no variable has stays as it is written, and its last percent sign may begin the
 * next name. The result is data: nothing in a value is replaced again.
 */
export function expandVariables(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const values = new Map(Object.entries(environment).map(([name, value]) => [name.toUpperCase(), value]))
  let expanded = ''
  for (let rest = text; rest !== ''; ) {
    const [mention = '', name = ''] = /^%([^%]+)%/.exec(rest) ?? []
    const value = values.get(name.toUpperCase())
    expanded += value ?? rest.charAt(0)
    rest = rest.slice(value === undefined ? 1 : mention.length)
  }
  return expanded
}
