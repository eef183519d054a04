import { writeFile } from 'node:fs/promises'
import { createPackageUpload } from '../../src/features/package-uploads/api/create-package-upload.ts'
import { incomingUploadsOf, makeFolder, uploadPathOf } from '../../src/features/package-uploads/upload-files.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

/** An upload of the principal that calls the operations, complete or not. */
async function givenUpload({ as, db }: World, isComplete: boolean) {
  const body = { fileName: 'setup.bin', size: 6 }
  const { id } = (await as('package.write').call(createPackageUpload, { body })).body
  if (isComplete)
    await db
      .updateTable('package_uploads')
      .set({ received: 6, sha256: Buffer.alloc(32) })
      .where('id', '=', id)
      .execute()
  return { params: { id } }
}

const manifest = {
  name: 'uploaded',
  version: '1.0',
  kind: 'software',
  operatingSystems: ['Linux'],
  commands: { install: { argv: ['true'] } },
}

export const packageUploadsScenarios: Record<string, Scenario> = {
  getPackageUpload: (world) => givenUpload(world, false),
  deletePackageUpload: (world) => givenUpload(world, false),
  continuePackageUpload: async (world) => {
    Object.assign(world.app.services.configuration, { packageStore: await openTemporaryFolder() })
    return { ...(await givenUpload(world, false)), body: 'Hello!', headers: { 'upload-offset': '0' } }
  },
  getPackageUploadProposal: async (world) => {
    const packageStore = await openTemporaryFolder()
    Object.assign(world.app.services.configuration, { packageStore })
    const given = await givenUpload(world, true)
    await makeFolder(incomingUploadsOf(packageStore))
    await writeFile(uploadPathOf(packageStore, given.params.id), '#!/bin/sh\n')
    return given
  },
  planPackageRecipes: async () => ({ body: { recipes: [{ manifest, file: { name: 'setup.sh' } }] } }),
  importPackageUpload: async (world) => ({ ...(await givenUpload(world, true)), body: { manifest } }),
}
