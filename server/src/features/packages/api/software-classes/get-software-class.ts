import { ok, operation } from '../../../../platform/operation.ts'
import { packageRows } from '../../package-rows.ts'
import { softwareClassNotFound } from '../../problems.ts'
import { getSoftwareClassById } from '../../software-classes.ts'
import { SoftwareClassDetail, SoftwareClassPath } from './schemas.ts'

export const getSoftwareClass = operation({
  id: 'getSoftwareClass',
  route: 'GET /api/softwareclasses/:id',
  summary: 'Get a software class with its packages',
  role: 'package.read',
  params: SoftwareClassPath,
  returns: ok(SoftwareClassDetail),
  problems: [softwareClassNotFound],
  async handle({ params, db, services }) {
    const found = await getSoftwareClassById(db, params.id)
    const packages = await packageRows(db, services.configuration)
      .innerJoin('software_class_packages as content', 'content.package_id', 'packages.id')
      .where('content.class_id', '=', params.id)
      .orderBy('packages.id')
      .execute()
    return { ...found, packages }
  },
})
