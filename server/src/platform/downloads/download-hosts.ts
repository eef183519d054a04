import { ConfigurationError } from '../configuration-error.ts'

/** A host from which the service may download files. */
export type DownloadHost = {
  /** In lower case; an IPv6 address in brackets. */
  name: string
  /** Whether all hosts below the name are meant, and not the name itself. */
  isWildcard: boolean
  port: number
  /** Whether its address may be one of a private network. */
  isPrivate: boolean
}

const entryPattern = /^(\*\.)?([a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i
const httpsPort = 443

/** Parses an entry of a list of hosts: `host`, `host:port` or `*.domain`. */
export function parseDownloadHost(setting: string, entry: string, isPrivate: boolean): DownloadHost {
  const [, wildcard, name = '', digits] = entryPattern.exec(entry) ?? []
  const port = digits === undefined ? httpsPort : Number(digits)
  const isName = name !== '' && (!wildcard || name.includes('.'))
  if (!isName || port < 1 || port > 65_535)
    throw new ConfigurationError(`${setting} must list hosts such as host, host:port or *.example.org, not '${entry}'.`)
  return { name: name.toLowerCase(), isWildcard: wildcard !== undefined, port, isPrivate }
}

/** The entry of the list that allows the address; undefined if none does. */
export function findDownloadHost(hosts: readonly DownloadHost[], url: URL): DownloadHost | undefined {
  const name = url.hostname.toLowerCase()
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : httpsPort))
  return hosts.find(
    (host) => host.port === port && (host.isWildcard ? name.endsWith(`.${host.name}`) : name === host.name),
  )
}
