import type { ComponentType } from './version-keys.ts'

/** What a package URL says about a package of a distribution. */
export type PackageUrl = { type: ComponentType; namespace: string; name: string; version: string; distro: string }

/** Parses `pkg:type/namespace/name@version?qualifiers`. Undefined if it is not a Debian or RPM package with a version. */
export function parsePackageUrl(url: string): PackageUrl | undefined {
  const [, type = '', path = '', version = '', query = ''] =
    /^pkg:\/*(deb|rpm)\/([^?#@]+)@([^?#]+)(?:\?([^#]*))?(?:#.*)?$/i.exec(url) ?? []
  const segments = path.split('/').map(decode)
  const name = segments.at(-1)
  if (!name || !version) return undefined
  const qualifiers = new Map(
    query.split('&').map((one) => {
      const [key = '', value = ''] = one.split(/=(.*)/s)
      return [key.toLowerCase(), decode(value)]
    }),
  )
  const epoch = qualifiers.get('epoch')
  const plainVersion = decode(version)
  return {
    type: type.toLowerCase() as ComponentType,
    namespace: segments.slice(0, -1).join('/').toLowerCase(),
    name: name.toLowerCase(),
    version: epoch && !/^\d+:/.test(plainVersion) ? `${epoch}:${plainVersion}` : plainVersion,
    distro: (qualifiers.get('distro') ?? '').toLowerCase(),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
