import type { PatchPlan } from './install-released.ts'
import type { RpmPackage } from './rpm-packages.ts'

/** An entry of `zypper --xmlout list-patches` or `list-updates`. */
export type ZypperUpdate = {
  name: string
  edition: string
  architecture: string
  status: string
  category: string
  severity: string
  restart: boolean
  repository: string
  title: string
  date: string | undefined
  cves: string[]
}

export function parseZypperUpdates(text: string): ZypperUpdate[] {
  return elementsOf(text, 'update').flatMap(({ attributes: given, content }) => {
    const value = (name: string) => given[name] ?? ''
    if (!value('name')) return []
    const seconds = Number(attributesOf(/<issue-date ([^<>]*)>/.exec(content)?.[1]).time_t)
    const isDated = Number.isInteger(seconds) && seconds > 0 && seconds < 1e11
    const issues = [...content.matchAll(/<issue ([^<>]*)>/g)].map(([, text]) => attributesOf(text))
    return [
      {
        name: value('name'),
        edition: value('edition'),
        architecture: value('arch'),
        status: value('status'),
        category: value('category'),
        severity: value('severity'),
        restart: value('restart') === 'true',
        repository: attributesOf(/<source ([^<>]*)>/.exec(content)?.[1]).alias ?? '',
        title: decode(/<summary>([^<]*)</.exec(content)?.[1] ?? '').replaceAll(/\s+/g, ' '),
        date: isDated ? new Date(seconds * 1_000).toISOString().slice(0, 10) : undefined,
        cves: issues.flatMap(({ type, id }) => (type === 'cve' && id ? [id.toUpperCase()] : [])),
      },
    ]
  })
}

/** Parses `zypper --xmlout search --details`: all versions of packages that repositories offer, and the installed ones. */
export function parseZypperPackages(text: string): (RpmPackage & { isInstalled: boolean })[] {
  return [...text.matchAll(/<solvable ([^<>]*)>/g)].flatMap(([, given]) => {
    const { kind, name, edition, arch, status, repository } = attributesOf(given)
    if (kind !== 'package' || !name || !edition || !arch) return []
    const isInstalled = status === 'installed' && repository === '(System Packages)'
    return [{ name, version: withEpoch(edition), architecture: arch, isInstalled }]
  })
}

/** Parses `zypper --xmlout locks --solvables`: which packages locks keep as they are, and which patches. */
export function parseZypperLocks(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/<match ([^<>]*)>/g)].flatMap(([, given]) => {
      const { kind, name } = attributesOf(given)
      return kind && name ? [`${kind}:${name}`] : []
    }),
  )
}

const conflict = /^(?:Conflicts +: | {4})([A-Za-z0-9_][\w.+-]*) < (\S+)$/
const architecture = /\.(noarch|x86_64|aarch64|i[3-6]86|ppc64le|s390x|riscv64|armv[67]hl)$/

/** What patches require, by their names: no version of a package that is earlier than this. */
export function parseZypperConflicts(text: string): Map<string, { name: string; version: string }[]> {
  const found = new Map<string, { name: string; version: string }[]>()
  let last: { name: string; version: string }[] = []
  let isList = false
  for (const line of text.split('\n')) {
    const header = /^Information for patch (\S+):$/.exec(line)?.[1]
    if (header !== undefined) {
      last = []
      found.set(header, last)
    }
    if (/^\S/.test(line)) isList = line.startsWith('Conflicts ')
    const [, name, edition] = (isList && conflict.exec(line)) || []
    if (name && edition) last.push({ name: name.replace(architecture, ''), version: withEpoch(edition) })
  }
  return found
}

/** Parses what `zypper --xmlout install --dry-run` would change. Undefined if it has found no way to do it. */
export function parseZypperPlan(text: string): PatchPlan | undefined {
  if (!text.includes('<install-summary')) return /Nothing to do\./.test(text) ? { changed: [] } : undefined
  const changed: string[] = []
  let isChanging = false
  for (const [, close, section, given] of text.matchAll(/<(\/?)(to-[a-z-]{1,40})>|<solvable ([^<>]*)>/g)) {
    // What is only new changes nothing that is installed.
    if (section !== undefined) isChanging = close === '' && section !== 'to-install'
    const { type, name } = attributesOf(given)
    if (isChanging && type === 'package' && name) changed.push(name)
  }
  return { changed }
}

/** The messages of errors, and the problems that zypper has found. */
export function zypperProblem(text: string): string {
  const errors = [...text.matchAll(/<message type="error">([^<]*)</g)].map(([, message = '']) => message)
  const problems = [...text.matchAll(/<description>(Problem: [^<\n]*)/g)].map(([, problem = '']) => problem)
  return decode([...errors, ...problems].slice(0, 5).join(' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 1_000)
}

export const withEpoch = (edition: string) => (/^\d+:/.test(edition) ? edition : `0:${edition}`)

/** zypper writes no such element inside of another one. */
function elementsOf(text: string, name: string) {
  return text
    .split(`<${name} `)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('>')
      const isEmpty = part[end - 1] === '/'
      const close = isEmpty ? end : part.indexOf(`</${name}>`, end)
      return { attributes: attributesOf(part.slice(0, end)), content: close > end ? part.slice(end + 1, close) : '' }
    })
}

function attributesOf(text = ''): Record<string, string | undefined> {
  return Object.fromEntries(
    [...text.matchAll(/\b([\w-]{1,40})=["']([^"'<]*)["']/g)].map(([, name, value = '']) => [name, decode(value)]),
  )
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decode = (text: string) => text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? '')
