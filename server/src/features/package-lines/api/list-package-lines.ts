import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { listLines } from '../line-versions.ts'
import { toLineAnswers } from './answers.ts'
import { LinePlatformName, PackageLineSchema } from './schemas.ts'

export const listPackageLines = operation({
  id: 'listPackageLines',
  route: 'GET /api/package-lines',
  summary: 'List package lines with their versions, by name',
  description:
    'Software packages with the same name and platform are versions of one line, the newest first. The platform is Windows or ' +
    'Linux, by the operating systems of the packages; Any: both, or none is named. Each version has the groups to which it is ' +
    'assigned, and the number of computers on which it is installed or pending. `proposal` is the version that groups with an ' +
    'older one should get.',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  query: closed({
    ...paging,
    nameContains: Type.Optional(text(200, 'zip', 'Part of the name of a version, ignoring case')),
    platform: Type.Optional({ ...LinePlatformName, description: 'Only lines for this platform' }),
  }),
  returns: ok(pagedResultOf(PackageLineSchema)),
  extension: true,
  async handle(call) {
    const { db, query } = call
    const part = query.nameContains?.toLowerCase() ?? ''
    const lines = (await listLines(db)).filter(
      ({ key, platform, versions }) =>
        (query.platform === undefined || platform === query.platform) &&
        (key.includes(part) || versions.some(({ name }) => name.toLowerCase().includes(part))),
    )
    // Versions are compared here and not by the database, so the rows of a page are places in this list.
    const places = sql<{ place: number }>`(select generate_series(0, ${lines.length - 1}::integer) as place)`
    const page = await pageOf(call, db.selectFrom(places.as('line')).selectAll(), { columns: ['place'] })
    return {
      ...page,
      items: await toLineAnswers(
        db,
        page.items.flatMap(({ place }) => lines[place] ?? []),
      ),
    }
  },
})
