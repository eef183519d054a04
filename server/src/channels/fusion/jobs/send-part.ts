import { finished, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { renewLease } from '../../../features/deployments/lease.ts'
import { fileNotHanded } from '../../../features/deployments/problems.ts'
import { openContent, type PackageFile } from '../../../features/packages/content/open-content.ts'
import type { FusionContext } from '../context.ts'
import { openPart } from './file-parts.ts'
import type { WorkingDevice } from './working-device.ts'

export type FoundPart = PackageFile & { work_id: number; position: number }

/** Finds a part of a file and renews the lease. The device must have a lease on work with the package of the file. */
export async function requirePart(db: Database, device: WorkingDevice, sha512: string): Promise<FoundPart> {
  const found = /^[\da-f]{128}$/.test(sha512) ? await findPart(db, device, sha512) : undefined
  if (!found) throw fileNotHanded()
  await renewLease(db, device.computer_id, found.work_id)
  return found
}

/** Sends a part of a file, and reads it while it is sent. */
export async function sendPart(
  { services }: FusionContext,
  found: FoundPart,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await openContent(services.configuration.packageStore, found)
  if (!file) throw fileNotHanded()
  // With the answer, however it ends: the part is perhaps never read.
  finished(reply.raw, () => void file.close())
  const { size, content } = openPart(file, found)
  reply.type('application/octet-stream').header('content-length', size)
  return reply.send(Readable.from(content, { objectMode: false }))
}

async function findPart(db: Database, device: WorkingDevice, sha512: string): Promise<FoundPart | undefined> {
  const { rows } = await sql<FoundPart>`
    select w.id as work_id, p.folder, file.path, file.size, encode(file.sha256, 'hex') as sha256, part.position
    from work w
      join packages p on p.id = w.package_id
      join package_files file on file.package_id = p.id
      join file_parts part on part.sha256 = file.sha256
    where w.computer_id = ${device.computer_id} and w.state = 'Leased' and w.run_id = ${device.run_id}
      and part.part_sha512 = ${Buffer.from(sha512, 'hex')}
    limit 1`.execute(db)
  return rows[0]
}
