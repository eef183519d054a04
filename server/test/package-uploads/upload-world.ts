import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createPackageUpload } from '../../src/features/package-uploads/api/create-package-upload.ts'
import { getPackageUpload } from '../../src/features/package-uploads/api/get-package-upload.ts'
import { importPackageUpload } from '../../src/features/package-uploads/api/import-package-upload.ts'
import { incomingUploadsOf } from '../../src/features/package-uploads/upload-files.ts'
import type { Configuration } from '../../src/platform/configuration.ts'
import { bytesType } from '../../src/platform/operation.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openPackageWorld } from '../packages/package-world.ts'
import type { Caller } from '../world/caller.ts'

export const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

export const addressOf = (id: string) => `/api/package-uploads/${id}`

/** A world with a package store, a job runner and people who upload. */
export async function openUploadWorld(configuration: Partial<Configuration> = {}) {
  const world = await openPackageWorld({ minFreeDiskMegabytes: 0, ...configuration })
  const { app, given, store, withToken, ended } = world

  async function packager(roles: Role[] = ['package.read', 'package.write']) {
    const principal = await given.localPrincipal({ roles })
    const token = await app.services.tokens.issue(principal.id)
    return { ...principal, token, caller: withToken(token) }
  }

  /** Announces a file and returns its id. */
  async function begun(by: Caller, size: number, changes: object = {}) {
    const { body } = await by.call(createPackageUpload, { body: { fileName: 'setup.bin', size, ...changes } })
    return body.id
  }

  /** Sends bytes from the position on. */
  const send = (by: Caller, id: string, offset: number, payload: string | Buffer) =>
    by.send({
      method: 'PATCH',
      url: addressOf(id),
      headers: { 'content-type': bytesType, 'upload-offset': String(offset), 'tus-resumable': '1.0.0' },
      payload,
    })

  async function uploaded(by: Caller, content: string | Buffer, fileName = 'setup.bin') {
    const id = await begun(by, Buffer.byteLength(content), { fileName })
    await send(by, id, 0, content)
    return id
  }

  /** Makes a package of the upload and returns the finished job. */
  async function importedUpload(
    by: Caller,
    id: string,
    body: { manifest?: Record<string, unknown>; fileName?: string; overwrite?: boolean },
  ) {
    const answer = await by.call(importPackageUpload, { params: { id }, body })
    return ended(answer.body.trackingId)
  }

  return {
    ...world,
    packager,
    begun,
    send,
    uploaded,
    importedUpload,
    find: async (by: Caller, id: string) => (await by.call(getPackageUpload, { params: { id } })).body,
    storedFiles: () => readdir(incomingUploadsOf(store)).catch(() => []),
    pathOf: (id: string) => join(incomingUploadsOf(store), id),
  }
}
