/** What apt knows about an installed package: all versions, newest first. */
export type Policy = { candidate: string; installed: string; versions: readonly KnownVersion[] }

export type KnownVersion = { version: string; isSecurity: boolean }

const header = /^(\S+):$/
const chosen = /^ {2}(Installed|Candidate): (\S+)/
// The installed version is marked with asterisks; sources are indented further.
const versionLine = /^ (?: {3}|\*{3}) (\S+) -?\d+/
const sourceLine = /^ {6,}-?\d+ \S+ (\S+)/

/** The security suites of Debian; before Debian 11 they were called `updates`. */
const securitySuite = /(-security|\/updates)(\/|$)/

/** Parses the output of `apt-cache policy`, by package name. */
export function parsePolicies(text: string): Map<string, Policy> {
  const blocks: { name: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const name = header.exec(line)?.[1]
    if (name !== undefined) blocks.push({ name, lines: [] })
    else blocks.at(-1)?.lines.push(line)
  }
  return new Map(blocks.map(({ name, lines }) => [name, policyOf(lines)]))
}

function policyOf(lines: readonly string[]): Policy {
  const versions: KnownVersion[] = []
  const choices: Record<string, string> = {}
  for (const line of lines) {
    const [, which, choice] = chosen.exec(line) ?? []
    const version = versionLine.exec(line)?.[1]
    const suite = sourceLine.exec(line)?.[1]
    const last = versions.at(-1)
    if (which && choice) choices[which] = choice
    else if (version) versions.push({ version, isSecurity: false })
    else if (suite && last) last.isSecurity ||= securitySuite.test(suite)
  }
  return { installed: choices.Installed ?? '(none)', candidate: choices.Candidate ?? '(none)', versions }
}

/** The update that apt would install; undefined if there is none newer than the installed version. */
export function updateOf({ installed, candidate, versions }: Policy): KnownVersion | undefined {
  const placeOf = (wanted: string) => versions.findIndex(({ version }) => version === wanted)
  const [newer, present] = [placeOf(candidate), placeOf(installed)]
  if (newer < 0 || present < 0 || newer >= present) return undefined
  // It includes the fixes of all versions in between.
  return { version: candidate, isSecurity: versions.slice(newer, present).some(({ isSecurity }) => isSecurity) }
}
