import { requestTimeout } from '../../../platform/general-problems.ts'
import { NoPlaceFree } from '../../../platform/load/places.ts'
import { BytesBody, bytesType, noContent, operation } from '../../../platform/operation.ts'
import { closed, Type, Uuid } from '../../../platform/schema.ts'
import {
  notYourUpload,
  offsetMismatch,
  storeFull,
  tooManyUploads,
  tusVersionUnsupported,
  uploadHashMismatch,
  uploadInterrupted,
  uploadLocked,
  uploadLongerThanAnnounced,
  uploadNotFound,
} from '../problems.ts'
import { receiveBytes } from '../receive-bytes.ts'
import { requireOffset, requireTusVersion, tusHeaders } from '../tus.ts'
import { getOwnUpload } from '../upload-rows.ts'

export const continuePackageUpload = operation({
  id: 'continuePackageUpload',
  route: 'PATCH /api/package-uploads/:id',
  summary: 'Send bytes of an upload',
  description:
    'The body has the bytes from the position in the header `Upload-Offset` on, which must be where the upload is: `received` of ' +
    'the upload. What arrives is kept if the request breaks off. Only one request at a time, of the principal that began the ' +
    'upload, may send bytes. The answer has the new position in `Upload-Offset`.',
  role: 'package.write',
  execution: { kind: 'Upload' },
  params: closed({ id: Uuid }),
  headers: closed({
    'Upload-Offset': Type.Integer({ minimum: 0, examples: [0], description: 'Position from which the bytes continue' }),
  }),
  body: BytesBody,
  bodyType: bytesType,
  returns: noContent,
  problems: [
    uploadNotFound,
    notYourUpload,
    offsetMismatch,
    uploadLocked,
    uploadInterrupted,
    uploadLongerThanAnnounced,
    uploadHashMismatch,
    storeFull,
    tusVersionUnsupported,
    tooManyUploads,
    requestTimeout,
  ],
  extension: true,
  async handle({ params, body, db, caller: { principal }, services, request, setHeader }) {
    requireTusVersion(request.headers)
    const offset = requireOffset(request.headers)
    await getOwnUpload(db, params.id, principal)
    const end = await services.uploads.take(principal.id).catch((error: unknown) => {
      throw error instanceof NoPlaceFree ? tooManyUploads().withHeaders({ 'retry-after': '10' }) : error
    })
    const { configuration } = services
    const requireAccess = async () => request.access?.require()
    try {
      const reception = { db, configuration, uploadId: params.id, offset, bytes: body, requireAccess }
      const state = await receiveBytes(reception)
      for (const [name, value] of Object.entries(tusHeaders(state))) setHeader(name, value)
    } finally {
      end()
    }
  },
})
