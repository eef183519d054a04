/** What apt knows about an installed package: all versions, newest first. */
export type Policy = { candidate: string; installed: string; versions: readonly KnownVersion[] }

export type KnownVersion = { version: string; isSecurity: boolean }

const header = /^(\S+):$/
const chosen = /^ {2}(Installed|Candidate): (\S+)/
// The installed version is marked with asterisks; sources are indented further.
const versionLine = /^ (?: {3}|\*{3}) (\S+) -?\d+/
const sourceLine = /^ {6,}-?\d+ (\S+ (\S+).*)/

/** The security suites of Debian; before Debian 11 they were called `updates`. */
const securitySuite = /(-security|\/updates)(\/|$)/

/** Whether a source, as `apt-cache policy` names it, has the security updates of the distribution. Undefined if that is not stated. */
type IsSecuritySource = (source: string) => boolean | undefined

const indexLine = /^ *-?\d+ (\S+ \S+.*)$/
const releaseLine = /^ +release (.*)$/

/**
 * Parses `apt-cache policy` without packages: the sources, each with what its Release file says about it. Only the
 * distribution itself says who has its security updates: anybody can name a suite `x-security`.
 */
export function parseSources(text: string): IsSecuritySource {
  const known = new Map<string, boolean>()
  let source: string | undefined
  for (const line of text.split('\n')) {
    const release = releaseLine.exec(line)?.[1]
    if (release === undefined) source = indexLine.exec(line)?.[1]?.trim() ?? source
    else if (source !== undefined) {
      const isSecurity = isSecurityRelease(release)
      if (isSecurity !== undefined) known.set(source, isSecurity)
      source = undefined
    }
  }
  return (one) => known.get(one.trim())
}

/** `v=12,o=Debian,a=stable-security,n=bookworm-security,l=Debian-Security,c=main,b=amd64` */
function isSecurityRelease(release: string): boolean | undefined {
  const field = (name: string) => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(release)?.[1] ?? ''
  const [origin, label] = [field('o'), field('l')]
  if (!origin && !label) return undefined
  // Derivatives name theirs alike, as Devuan-Security.
  if (/-security$/i.test(label)) return true
  return /^Ubuntu(ESM\w*)?$/.test(origin) && [field('a'), field('n')].some((suite) => suite.endsWith('-security'))
}

/** Parses the output of `apt-cache policy`, by package name. */
export function parsePolicies(text: string, isSecuritySource: IsSecuritySource = () => undefined): Map<string, Policy> {
  const blocks: { name: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const name = header.exec(line)?.[1]
    if (name !== undefined) blocks.push({ name, lines: [] })
    else blocks.at(-1)?.lines.push(line)
  }
  return new Map(blocks.map(({ name, lines }) => [name, policyOf(lines, isSecuritySource)]))
}

function policyOf(lines: readonly string[], isSecuritySource: IsSecuritySource): Policy {
  const versions: KnownVersion[] = []
  const choices: Record<string, string> = {}
  for (const line of lines) {
    const [, which, choice] = chosen.exec(line) ?? []
    const version = versionLine.exec(line)?.[1]
    const [, source = '', suite] = sourceLine.exec(line) ?? []
    const last = versions.at(-1)
    if (which && choice) choices[which] = choice
    else if (version) versions.push({ version, isSecurity: false })
    else if (suite && last) last.isSecurity ||= isSecuritySource(source) ?? securitySuite.test(suite)
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
