import { ok, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { findMirror } from '../mirror.ts'
import { searchMirror } from '../search-mirror.ts'
import { WingetSearchResult } from './schemas.ts'

export const searchWingetPackages = operation({
  id: 'searchWingetPackages',
  route: 'GET /api/winget/packages',
  summary: 'Find packages in the mirror of winget manifests by their identifier',
  description:
    'The mirror is a folder of the package store, `MUSTER_WINGET_MIRROR`, in the layout of the public repository of winget: a clone of it, or ' +
    'a part. Manifests are not read for the search, only the names of folders.',
  role: 'package.write',
  query: closed({
    search: Type.String({
      minLength: 2,
      maxLength: 128,
      examples: ['7zip'],
      description: 'Text in the identifier, in upper or lower case',
    }),
    top: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      examples: [50],
      description: 'Number of packages at most',
    }),
  }),
  returns: ok(WingetSearchResult),
  extension: true,
  async handle({ query: { search, top }, services: { configuration } }) {
    const mirror = await findMirror(configuration)
    if (mirror === undefined) return { hasMirror: false, isComplete: true, items: [] }
    const { packages, isComplete } = await searchMirror(mirror, { text: search, maxFound: top })
    const items = packages.map(({ identifier, versions }) => ({
      identifier,
      latestVersion: versions[0] ?? '',
      versionCount: versions.length,
    }))
    return { hasMirror: true, isComplete, items }
  },
})
