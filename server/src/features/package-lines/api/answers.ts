import type { Database } from '../../../database/connect.ts'
import type { Static } from '../../../platform/schema.ts'
import { listOlder, type PackageLine } from '../line-versions.ts'
import { readUsage, type UsedVersion, withUsage } from '../version-usage.ts'
import type { PackageLineSchema } from './schemas.ts'

/** Package lines in the shape of the API. */
export async function toLineAnswers(
  db: Database,
  lines: readonly PackageLine[],
): Promise<Static<typeof PackageLineSchema>[]> {
  const usage = await readUsage(
    db,
    lines.flatMap(({ versions }) => versions.map(({ id }) => id)),
  )
  return lines.map((line) => {
    const versions = withUsage(line, usage)
    return {
      name: line.versions[0]?.name ?? line.key,
      key: line.key,
      platform: line.platform,
      versions: versions.map(({ lineKey: _key, lineName: _name, ...version }) => version),
      proposal: findProposal(line, versions),
    }
  })
}

function findProposal(line: PackageLine, versions: readonly UsedVersion[]) {
  const newest = versions.find(({ operational, hashState }) => operational && hashState === 'Current')
  if (!newest) return null
  const older = new Set(listOlder(line, newest.id).map(({ id }) => id))
  const groupCount = versions.reduce((sum, { id, groupCount }) => sum + (older.has(id) ? groupCount : 0), 0)
  return groupCount > 0 ? { packageId: newest.id, version: newest.version, groupCount } : null
}
