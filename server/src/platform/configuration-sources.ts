import { pathFault, withSlashes } from '@muster/package-format'
import { ConfigurationError } from './configuration-error.ts'
import type { DownloadHost } from './downloads/download-hosts.ts'

type ReadHosts = (name: string, isPrivate: boolean) => DownloadHost[]

/** From where the service gets what it did not get from people. */
export function readSources(hosts: ReadHosts, text: (name: string) => string | undefined) {
  return {
    databaseUrl: parseDatabaseUrl('DATABASE_URL', text('DATABASE_URL')),
    databaseOwnerUrl: parseOwnerUrl(text('DATABASE_OWNER_URL'), text('DATABASE_URL')),
    patchHosts: [...hosts('PATCH_HOSTS', false), ...hosts('PATCH_PRIVATE_HOSTS', true)],
    packageHosts: [...hosts('PACKAGE_HOSTS', false), ...hosts('PACKAGE_PRIVATE_HOSTS', true)],
    wingetMirror: parseStoreFolder('WINGET_MIRROR', text('WINGET_MIRROR') ?? 'winget'),
  }
}

/** A folder of the package store, by its path within the store. */
function parseStoreFolder(name: string, value: string): string {
  const fault = pathFault(value)
  if (fault) throw new ConfigurationError(`MUSTER_${name} ${fault}: it is the path of a folder in the package store.`)
  return withSlashes(value)
}

function parseDatabaseUrl(name: string, value: string | undefined): string | undefined {
  if (value && !/^postgres(ql)?:\/\//.test(value))
    throw new ConfigurationError(`MUSTER_${name} must start with postgres:// or postgresql://.`)
  return value
}

function parseOwnerUrl(value: string | undefined, databaseUrl: string | undefined): string | undefined {
  if (value && !databaseUrl) throw new ConfigurationError('MUSTER_DATABASE_OWNER_URL requires MUSTER_DATABASE_URL.')
  return parseDatabaseUrl('DATABASE_OWNER_URL', value)
}
