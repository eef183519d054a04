import { ok, operation } from '../../../platform/operation.ts'
import { paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { listLines } from '../line-versions.ts'
import { toLineAnswers } from './answers.ts'
import { LinePlatformName, PackageLineSchema } from './schemas.ts'

const { skip, top } = paging

export const listPackageLines = operation({
  id: 'listPackageLines',
  route: 'GET /api/package-lines',
  summary: 'List package lines with their versions, by name',
  description:
    'Software packages with the same name and platform are versions of one line, the newest first. The platform is Windows or ' +
    'Linux, by the operating systems of the packages; Any: both, or none is named. Each version has the ' +
    'groups to which it is assigned, and the number of computers on which it is installed or pending. `proposal` is the ' +
    'version that groups with an older one should get.',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  query: closed({
    skip,
    top,
    nameContains: Type.Optional(text(200, 'zip', 'Part of the name of a version, ignoring case')),
    platform: Type.Optional({ ...LinePlatformName, description: 'Only lines for this platform' }),
  }),
  returns: ok(pagedResultOf(PackageLineSchema)),
  extension: true,
  async handle({ db, query }) {
    const part = query.nameContains?.toLowerCase() ?? ''
    const lines = (await listLines(db)).filter(
      ({ key, platform, versions }) =>
        (query.platform === undefined || platform === query.platform) &&
        (key.includes(part) || versions.some(({ name }) => name.toLowerCase().includes(part))),
    )
    const size = Math.min(query.top, maxLines)
    return {
      items: await toLineAnswers(db, lines.slice(query.skip, query.skip + size)),
      skip: query.skip,
      top: size,
      totalCount: lines.length,
      hasMore: query.skip + size < lines.length,
    }
  },
})

/** The use of each version is counted when the list is read. */
const maxLines = 200
