import { formatNevra, parseNevra, placeOf, type RpmPackage } from './rpm-packages.ts'
import { withEpoch } from './zypper-output.ts'

/** The numbers of transactions in `dnf history list`, newest first as dnf prints them. */
export function parseDnfTransactions(text: string): number[] {
  return text.split('\n').flatMap((line) => {
    const id = /^\s{0,20}(\d{1,10})\s{0,10}\|/.exec(line)?.[1]
    return id === undefined ? [] : [Number(id)]
  })
}

const altered = /^\s{1,20}(Install|Upgrade|Downgrade|Upgraded|Downgraded|Obsoleted)\s{1,20}(\S{1,300})/

/**
 * What `dnf history info` of one transaction says about an installed package: the version that it replaced, null if it replaced
 * none, and undefined if the transaction has not brought this version.
 */
export function parseDnfChange(text: string, installed: RpmPackage): string | null | undefined {
  let isBrought = false
  let before: string | null = null
  for (const line of text.split('\n')) {
    const [, action = '', name = ''] = altered.exec(line) ?? []
    const found = parseNevra(name)
    if (!found || placeOf(found) !== placeOf(installed)) continue
    if (['Install', 'Upgrade', 'Downgrade'].includes(action))
      isBrought ||= formatNevra(found) === formatNevra(installed)
    else if (action !== 'Obsoleted') before = found.version
  }
  return isBrought ? before : undefined
}

/**
 * The version of a package before the installed one in `/var/log/zypp/history`; null if it has none. The logs are in their order,
 * oldest first.
 */
export function findZyppVersionBefore(text: string, installed: RpmPackage): string | null | undefined {
  const changes = text.split('\n').flatMap((line) => {
    const [time = '', action = '', name, edition = '', architecture] = line.split('|')
    if (!/^\d{4}-/.test(time) || name !== installed.name || edition === '') return []
    const kind = action.trim()
    if (!['install', 'remove'].includes(kind) || architecture !== installed.architecture) return []
    return [{ kind, version: withEpoch(edition) }]
  })
  const last = changes.findLastIndex(({ kind, version }) => kind === 'install' && version === installed.version)
  if (last < 0) return undefined
  const before = changes.slice(0, last).findLast(({ version }) => version !== installed.version)
  return before?.kind === 'install' ? before.version : null
}
