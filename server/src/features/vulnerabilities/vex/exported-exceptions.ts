import type { Database } from '../../../database/connect.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { coversAll, type ExceptionScope, exceptionRows } from '../exceptions/exception-rows.ts'
import { toPackageUrl } from '../sbom/purl.ts'

/** What a document is about: a computer, a group with those below it, or the fleet. */
export type VexSubject = { type: 'device' | 'platform'; name: string; scope: ExceptionScope }

/** Throws `groupNotFound` or `computerNotFound`. */
export async function readSubject(db: Database, { groupId, computerId }: ExceptionScope): Promise<VexSubject> {
  if (groupId !== undefined) {
    const group = await db.selectFrom('groups').select('path').where('id', '=', groupId).executeTakeFirst()
    if (!group) throw groupNotFound({ groupId })
    return { type: 'platform', name: group.path, scope: { groupId } }
  }
  if (computerId === undefined) return { type: 'platform', name: 'All computers', scope: {} }
  const computer = await db.selectFrom('computers').select('name').where('id', '=', computerId).executeTakeFirst()
  if (!computer) throw computerNotFound({ clientId: computerId })
  return { type: 'device', name: computer.name, scope: { computerId } }
}

export type ExportedException = Awaited<ReturnType<typeof readExceptions>>[number]

/**
 * The exceptions in force that cover all computers of the subject, one for each vulnerability and package. A risk that is accepted says
 * less than that there is none.
 */
export async function readExceptions(db: Database, { scope }: VexSubject) {
  const rows = await exceptionRows(db)
    .where(coversAll(scope))
    .where((where) =>
      where.or([where('exception.expires_at', 'is', null), where('exception.expires_at', '>', new Date())]),
    )
    .orderBy('v.key')
    .orderBy('exception.id')
    .execute()
  const named = rows.map((row) => {
    const { package: name, platform, packageVersion } = row
    return { ...row, url: name === null || platform === null ? null : toPackageUrl(platform, name, packageVersion) }
  })
  const byPlace = Map.groupBy(named, ({ vulnerability, url }) => JSON.stringify([vulnerability, url]))
  return [...byPlace.values()].flatMap((all) => all.find(({ status }) => status !== 'Accepted') ?? all.slice(0, 1))
}
