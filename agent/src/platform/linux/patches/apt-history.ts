/** A change that a log of dpkg or apt has recorded. `from` is null if the package was not installed before. */
export type RecordedChange = { name: string; architecture: string | undefined; from: string | null; to: string }

const word = '([a-z0-9][a-z0-9+.-]+)(?::([a-z0-9-]+))?'
const version = '[0-9][A-Za-z0-9.+:~-]*'
const dpkgLine = new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d (install|upgrade) ${word} (\\S+) (${version})$`)

/** Parses `dpkg.log`, in its order. dpkg calls a downgrade an upgrade, too. */
export function parseDpkgLog(text: string): RecordedChange[] {
  return text.split('\n').flatMap((line) => {
    const [, action, name, architecture, from, to] = dpkgLine.exec(line.trimEnd()) ?? []
    if (!action || !name || !from || !to) return []
    // A package that was removed but not purged has a version before, which was not installed.
    return [{ name, architecture, from: action === 'install' ? null : from, to }]
  })
}

const historyLine = /^(Install|Upgrade|Downgrade): (.*)$/
const historyItem = new RegExp(`^${word} \\((${version})(?:, (${version}))?(?:, automatic)?\\)$`)

/** Parses `history.log` of apt, in its order: `Upgrade: hello:amd64 (1.0, 1.1), more:amd64 (2, 3)`. */
export function parseAptHistory(text: string): RecordedChange[] {
  return text.split('\n').flatMap((line) => {
    const [, action, items = ''] = historyLine.exec(line.trimEnd()) ?? []
    if (!action) return []
    return items.split(/(?<=\)), /).flatMap((item): RecordedChange[] => {
      const [, name, architecture, first, second] = historyItem.exec(item) ?? []
      if (!name || !first) return []
      if (action === 'Install') return [{ name, architecture, from: null, to: first }]
      return second === undefined ? [] : [{ name, architecture, from: first, to: second }]
    })
  })
}

type InstalledVersion = { name: string; architecture: string; version: string }

/**
 * The last change to the installed version: only it says what was there before. Older ones would go back two versions, and over and
 * over. A reinstallation of the same version is no change. apt names the architecture of the system for packages of all.
 */
export function findLastChange(
  changes: readonly RecordedChange[],
  { name, architecture, version: installed }: InstalledVersion,
): RecordedChange | undefined {
  return changes.findLast(
    (one) =>
      one.name === name &&
      one.to === installed &&
      one.from !== one.to &&
      (one.architecture === undefined || one.architecture === architecture || architecture === 'all'),
  )
}
