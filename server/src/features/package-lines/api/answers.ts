import type { Database } from '../../../database/connect.ts'
import type { Static } from '../../../platform/schema.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { findLineOf, listOlder, type PackageLine } from '../line-versions.ts'
import { notInLine } from '../problems.ts'
import { readUsage, type UsedVersion, withUsage } from '../version-usage.ts'
import type { PackageLineSchema } from './schemas.ts'

/** The line of a package. Throws if the package does not exist or has none. */
export async function getLineAnswer(db: Database, packageId: string): Promise<Static<typeof PackageLineSchema>> {
  const line = await findLineOf(db, packageId.toLowerCase())
  const [answer] = line ? await toLineAnswers(db, [line]) : []
  if (answer) return answer
  await requirePackage(db, packageId)
  throw notInLine({ packageId })
}

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
