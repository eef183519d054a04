import type { Principal } from '../../../platform/authentication/principals.ts'
import type { UploadRow } from '../upload-rows.ts'

/** An upload as it is shown to the principal. */
export function toUpload({ principalId, ...upload }: UploadRow, { id }: Principal) {
  return { ...upload, isOwn: principalId === id }
}
