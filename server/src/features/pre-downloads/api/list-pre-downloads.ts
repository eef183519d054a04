import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { countPreDownloads } from '../pre-download-counts.ts'
import { PreDownload, PreDownloadQuery } from './schemas.ts'

export const listPreDownloads = operation({
  id: 'listPreDownloads',
  route: 'GET /api/pre-downloads',
  summary: 'Count the computers that have the files of packages before their work may begin',
  description:
    'One row for each package whose distribution options have preDownload, with the work that waits for its time. Work that ' +
    'an agent has, or that is done, is not counted. The filters can be combined; without any, the whole fleet is counted.',
  role: 'computer.read',
  query: PreDownloadQuery,
  returns: ok(Type.Array(PreDownload)),
  extension: true,
  async handle({ query: { trackingId, ...filter }, db }) {
    return countPreDownloads(db, { ...filter, taskId: trackingId })
  },
})
