/** The list of excluded packages in [main] of dnf.conf. dnf calls it `excludepkgs`, and yum `exclude`. */
const entry = /^(excludepkgs|exclude)[ \t]*=[ \t]*(.*)$/

export function isExcluded(text: string, name: string): boolean {
  return findEntry(text.split('\n'))?.names.includes(name) === true
}

/** Adds a name to the list, and the list if there is none. */
export function addExclude(text: string, name: string): string {
  const lines = text.split('\n')
  const found = findEntry(lines)
  if (found?.names.includes(name)) return text
  if (found) return replaceLine(lines, found.at, `${found.option}=${[...found.names, name].join(' ')}`)
  const main = lines.findIndex((line) => line.trim() === '[main]')
  if (main < 0) return ['[main]', `excludepkgs=${name}`, ...lines].join('\n')
  return lines.toSpliced(main + 1, 0, `excludepkgs=${name}`).join('\n')
}

/** Removes the name from the list, and a list that is empty then. */
export function removeExclude(text: string, name: string): string {
  const lines = text.split('\n')
  const found = findEntry(lines)
  if (!found?.names.includes(name)) return text
  const others = found.names.filter((one) => one !== name)
  return others.length > 0
    ? replaceLine(lines, found.at, `${found.option}=${others.join(' ')}`)
    : lines.toSpliced(found.at, 1).join('\n')
}

function findEntry(lines: readonly string[]) {
  let section = ''
  for (const [at, line] of lines.entries()) {
    section = /^\[(.*)\]\s*$/.exec(line)?.[1] ?? section
    const [, option, value = ''] = entry.exec(line) ?? []
    if (section === 'main' && option) return { at, option, names: value.split(/[\s,]+/).filter(Boolean) }
  }
  return undefined
}

const replaceLine = (lines: readonly string[], at: number, line: string) => lines.with(at, line).join('\n')
