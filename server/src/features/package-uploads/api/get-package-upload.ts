import { ok, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'
import { tusVersionUnsupported, uploadNotFound } from '../problems.ts'
import { requireTusVersion, tusHeaders } from '../tus.ts'
import { getUpload } from '../upload-rows.ts'
import { toUpload } from './answers.ts'
import { PackageUpload } from './schemas.ts'

export const getPackageUpload = operation({
  id: 'getPackageUpload',
  route: 'GET /api/package-uploads/:id',
  summary: 'Get an upload, and how much of it is stored',
  description: 'Clients of tus ask with `HEAD`, and read the headers `Upload-Offset` and `Upload-Length`.',
  role: 'package.write',
  params: closed({ id: Uuid }),
  returns: ok(PackageUpload),
  problems: [uploadNotFound, tusVersionUnsupported],
  extension: true,
  async handle({ params, db, caller, request, setHeader }) {
    requireTusVersion(request.headers)
    const upload = await getUpload(db, params.id)
    for (const [name, value] of Object.entries(tusHeaders(upload))) setHeader(name, value)
    return toUpload(upload, caller.principal)
  },
})
