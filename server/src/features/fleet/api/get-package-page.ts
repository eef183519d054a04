import { ok, operation } from '../../../platform/operation.ts'
import { countPackageStatus } from '../../deployments/package-results.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { getPackageById } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { getPackageDetails, listFailureCauses, listGroupsOfPackage } from '../pages/package-page.ts'
import { PackagePage } from './package-schemas.ts'

export const getPackagePage = operation({
  id: 'getPackagePage',
  route: 'GET /api/fleet/packages/:id',
  summary: 'Get everything that the page of a package shows',
  description:
    'The package with its files, tags, relations and other versions, its state on the computers to which it is assigned, the groups ' +
    'that assign it, and its failures grouped by cause, each with the output of one computer. Two failures have the same cause if their exit codes are ' +
    'equal and the last lines of their output differ only in numbers, paths, addresses and names of computers.',
  role: 'package.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  params: PackagePath,
  returns: ok(PackagePage),
  problems: [packageNotFound],
  async handle({ params: { id }, db, caller, services }) {
    const found = await getPackageById(db, services.configuration, id)
    return {
      package: found,
      ...(await getPackageDetails(db, id)),
      status: await countPackageStatus(db, id, found.kind),
      groups: await listGroupsOfPackage(db, id),
      failureCauses: caller.principal.roles.has('computer.read') ? await listFailureCauses(db, id) : null,
    }
  },
})
