import { ok, operation } from '../../../platform/operation.ts'
import { computersWithPackage } from '../affected-computers.ts'
import { getPackageById } from '../package-rows.ts'
import { packageNotFound } from '../problems.ts'
import { callWaitingAgents, fourEyesRequired, importerUnknown, requireOtherImporter } from '../release.ts'
import { getPackage } from './get-package.ts'
import { Package, PackagePath, ReadyToInstallRequest } from './schemas.ts'

export const setReadyToInstall = operation({
  id: 'setReadyToInstall',
  route: 'PUT /api/packages/:id/ready-to-install',
  summary: 'Set or clear the Ready-to-Install flag of a package',
  description:
    'A package is handed out to computers only while the flag is set. Packages that were just imported do not have ' +
    'it, and changed content clears it. Assignments and pending work stay when the flag is cleared; they wait until it ' +
    'is set again. `If-Match` with the ETag of the package makes sure that only the content that was read is released. ' +
    'Beyond the contract: with MUSTER_FOUR_EYES, the principal whose import last changed the content cannot set the ' +
    'flag, nor can anybody while that principal is unknown.',
  role: 'package.write',
  massAction: { computers: ({ params }) => computersWithPackage(params.id) },
  params: PackagePath,
  body: ReadyToInstallRequest,
  returns: ok(Package),
  problems: [packageNotFound, fourEyesRequired, importerUnknown],
  changes: getPackage,
  async handle({ params, body, db, caller, services: { configuration } }) {
    if (body.operational && configuration.fourEyes) await requireOtherImporter(db, params.id, caller.principal)
    await db.updateTable('packages').set({ is_operational: body.operational }).where('id', '=', params.id).execute()
    if (body.operational) await callWaitingAgents(db, params.id)
    return getPackageById(db, configuration, params.id)
  },
})
