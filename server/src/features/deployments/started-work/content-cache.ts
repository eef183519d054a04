import { compositeKey } from '@muster/text'
import type { Database } from '../../../database/connect.ts'
import { loadPackageContents, type PackageContent } from './package-content.ts'

/** A package with the hash of its content, which changes with every file, including the manifest. */
export type HashedPackage = { packageId: string; contentHash: string }

const maxCachedPackages = 500

/** A package with more files is read from the database each time so that the cache stays small. */
const maxCachedFiles = 1_000

const caches = new WeakMap<Database, Map<string, PackageContent>>()

/** Returns the contents of packages by their ids. What this process has read before, it does not read again. */
export async function findPackageContents(
  db: Database,
  packages: readonly HashedPackage[],
): Promise<Map<string, PackageContent>> {
  const cache = caches.get(db) ?? new Map<string, PackageContent>()
  caches.set(db, cache)
  const missing = packages.filter((one) => !cache.has(keyOf(one)))
  const read = missing.length > 0 ? await loadPackageContents(db, [...new Set(missing.map(idOf))]) : new Map()
  for (const one of missing) {
    const content = read.get(one.packageId)
    if (content && content.files.length <= maxCachedFiles) remember(cache, keyOf(one), content)
  }
  return new Map(
    packages.flatMap((one) => {
      const content = cache.get(keyOf(one)) ?? read.get(one.packageId)
      return content ? [[one.packageId, content]] : []
    }),
  )
}

const idOf = ({ packageId }: HashedPackage) => packageId
const keyOf = ({ packageId, contentHash }: HashedPackage) => compositeKey(packageId, contentHash)

/** The package that was read first is dropped first. */
function remember(cache: Map<string, PackageContent>, key: string, content: PackageContent): void {
  if (cache.size >= maxCachedPackages) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, content)
}
