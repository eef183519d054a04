import type { Repository, RepositoryFamily, RepositoryPackage } from '../../platform/repository-packages.ts'
import type { WorkDeclaration } from '../../protocol.ts'

export type DeclaredSource = NonNullable<WorkDeclaration['source']>

/** What tools get as words, and files as lines. The server checks the same, but an agent does not rely on it. */
const patterns: Record<RepositoryFamily, { name: RegExp; version: RegExp }> = {
  deb: {
    // A hyphen behind a name asks for a removal.
    name: /^[a-z0-9][a-z0-9+.-]{0,198}[a-z0-9+.](:[a-z0-9][a-z0-9-]{0,30})?$/,
    version: /^([0-9]{1,9}:)?[0-9][A-Za-z0-9.+~-]{0,89}$/,
  },
  rpm: {
    name: /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}$/,
    version: /^([0-9]{1,9}:)?[A-Za-z0-9][A-Za-z0-9._+~^]{0,59}(-[A-Za-z0-9._+~^]{1,30})?$/,
  },
}
const url =
  /^(https:\/\/[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:[0-9]{1,5})?|file:\/\/)(\/[A-Za-z0-9._~+%$-]{1,255}){0,50}\/?$/
const suite = /^(\.\/|[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9._-]+)*\/?)$/
const component = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/
const key = /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[ -~\r\n]+-----END PGP PUBLIC KEY BLOCK-----\s*$/
const maxLengths = { url: 1_000, suite: 200, key: 64_000 }

/** The package that a declaration names. Throws if a value could be anything but a name, a version, an address or a key. */
export function readSource(source: DeclaredSource): RepositoryPackage {
  const { package: given, version, minVersion, repository, keepVersion, allowDowngrade = false } = source
  const [, family, name = ''] = /^(deb|rpm):(.*)$/s.exec(given) ?? []
  if (family !== 'deb' && family !== 'rpm') throw new Error('its source is neither a deb nor an rpm package')
  if (!patterns[family].name.test(name)) throw new Error(`its source has an invalid name of a ${family} package`)
  for (const one of [version, minVersion])
    if (one !== undefined && !patterns[family].version.test(one))
      throw new Error(`its source has an invalid version of a ${family} package`)
  if (version !== undefined && minVersion !== undefined)
    throw new Error('its source has both an exact and a minimum version')
  return {
    ...{ family, name, allowDowngrade: allowDowngrade === true },
    ...(version !== undefined && { version }),
    ...(minVersion !== undefined && { minVersion }),
    ...(repository && { repository: readRepository(family, repository) }),
    ...(typeof keepVersion === 'boolean' && { keepVersion }),
  }
}

function readRepository(family: RepositoryFamily, given: NonNullable<DeclaredSource['repository']>): Repository {
  requireMatch('address', given.url, url, maxLengths.url)
  requireMatch('key', given.key, key, maxLengths.key)
  if (given.url.split('/').includes('..')) throw new Error('its repository has an invalid address')
  if (family === 'rpm') return { url: given.url, key: given.key }
  requireMatch('suite', given.suite ?? '', suite, maxLengths.suite)
  const isFlat = given.suite?.endsWith('/') === true
  const components = isFlat ? [] : (given.components ?? [])
  for (const one of components) requireMatch('component', one, component, 100)
  if (!isFlat && components.length === 0) throw new Error('its repository has no components')
  return { url: given.url, key: given.key, suite: given.suite ?? '', components }
}

function requireMatch(what: string, value: string, pattern: RegExp, maxLength: number): void {
  if (value.length > maxLength || !pattern.test(value)) throw new Error(`its repository has an invalid ${what}`)
}
