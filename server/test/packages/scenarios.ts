import type { Scenario } from '../platform/operations/scenarios.ts'
import { givenPackage } from './given-package.ts'

const onPackage =
  (body?: object): Scenario =>
  async ({ db }) => ({ params: { id: (await givenPackage(db)).id }, ...(body && { body }) })

export const packagesScenarios: Record<string, Scenario> = {
  getPackage: onPackage(),
  getPackageStatus: onPackage(),
  listPackageGroups: onPackage(),
  getPackageTags: onPackage(),
  setPackageTags: onPackage({ tagIds: [1] }),
  setReadyToInstall: onPackage({ operational: true }),
  generatePackageHash: onPackage(),
  getPackageImport: async ({ db }) => {
    const { id } = await db
      .insertInto('background_jobs')
      .values({ queue: 'package-import', subject: 'apps/greeting', input: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { params: { trackingId: id } }
  },
}
