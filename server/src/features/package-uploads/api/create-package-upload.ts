import { sql } from 'kysely'
import { created, operation } from '../../../platform/operation.ts'
import { requireQuota } from '../limits.ts'
import { storeFull, tusVersionUnsupported, uploadQuotaExceeded, uploadTooLarge } from '../problems.ts'
import { announcedUpload, requireTusVersion, tusCapabilities, tusHeaders } from '../tus.ts'
import { getUpload } from '../upload-rows.ts'
import { toUpload } from './answers.ts'
import { NewPackageUpload, PackageUpload, requireFileName } from './schemas.ts'

export const createPackageUpload = operation({
  id: 'createPackageUpload',
  route: 'POST /api/package-uploads',
  summary: 'Begin to upload a file of which a package is to be made',
  description:
    'Announces a file; `PATCH` at the address in `Location` sends its bytes, in any number of requests. This is version 1.0.0 of ' +
    'tus, the protocol of resumable uploads, with creation, termination and expiration: instead of a body, clients of tus send ' +
    '`Upload-Length` and `Upload-Metadata` with `filename` and, if they like, `fingerprint` and `sha256`. Refused if the file is ' +
    'larger than `MUSTER_UPLOAD_SIZE_LIMIT`, if all uploads of the principal or of everybody would exceed `MUSTER_UPLOAD_QUOTA` ' +
    'or `MUSTER_UPLOAD_TOTAL`, or if the disk has too little room. An upload without progress is deleted after ' +
    '`MUSTER_UPLOAD_HOURS`.',
  role: 'package.write',
  body: NewPackageUpload,
  bodyFromHeaders: announcedUpload,
  optionsHeaders: tusCapabilities,
  returns: created(PackageUpload),
  problems: [uploadTooLarge, uploadQuotaExceeded, storeFull, tusVersionUnsupported],
  extension: true,
  async handle({ body, db, caller: { principal }, services: { configuration }, request, setHeader }) {
    requireTusVersion(request.headers)
    requireFileName(body)
    const { fileName, size, fingerprint = null, sha256 } = body
    await requireQuota(db, configuration, { principalId: principal.id, size })
    const { id } = await db
      .insertInto('package_uploads')
      .values({
        principal_id: principal.id,
        file_name: fileName,
        size,
        fingerprint,
        expected_sha256: sha256 === undefined ? null : Buffer.from(sha256, 'hex'),
        expires_at: sql<Date>`now() + make_interval(hours => ${configuration.uploads.hours})`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const upload = await getUpload(db, id)
    setHeader('location', `/api/package-uploads/${id}`)
    for (const [name, value] of Object.entries(tusHeaders(upload))) setHeader(name, value)
    return toUpload(upload, principal)
  },
})
