import { importPackage } from '../../src/features/packages/api/import-package.ts'
import type { Scenario } from '../world/scenario.ts'

const onPackage =
  (body?: object): Scenario =>
  async ({ given }) => ({ params: { id: (await given.package()).id }, ...(body && { body }) })

export const packagesScenarios: Record<string, Scenario> = {
  getPackage: onPackage(),
  getPackageStatus: onPackage(),
  listPackageGroups: onPackage(),
  getPackageTags: onPackage(),
  setPackageTags: onPackage({ tagIds: [1] }),
  setReadyToInstall: onPackage({ operational: true }),
  generatePackageHash: onPackage(),
  getPackageImport: async ({ as }) => {
    const { body } = await as('package.write').call(importPackage, { body: { folderPath: 'apps/greeting' } })
    return { params: { trackingId: body.trackingId } }
  },
}
