import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { importPackage } from '../../src/features/packages/api/import-package.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

const onPackage =
  (body?: object): Scenario =>
  async ({ given }) => ({ params: { id: (await given.package()).id }, ...(body && { body }) })

/** A folder of the package store, which a job will look into. */
export async function emptyFolder({ app }: World): Promise<string> {
  const folder = 'apps/greeting'
  const { packageStore } = app.services.configuration
  await mkdir(join(packageStore, folder), { recursive: true })
  return folder
}

export const packagesScenarios: Record<string, Scenario> = {
  getPackage: onPackage(),
  getPackageStatus: onPackage(),
  listPackageGroups: onPackage(),
  getPackageTags: onPackage(),
  setPackageTags: onPackage({ tagIds: [1] }),
  setReadyToInstall: onPackage({ operational: true }),
  generatePackageHash: onPackage(),
  importPackage: async (world) => ({ body: { folderPath: await emptyFolder(world) } }),
  getPackageImport: async (world) => {
    const folderPath = await emptyFolder(world)
    const { body } = await world.as('package.write').call(importPackage, { body: { folderPath } })
    return { params: { trackingId: body.trackingId } }
  },
}
