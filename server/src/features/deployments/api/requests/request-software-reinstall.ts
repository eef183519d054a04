import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { lockGroupTreesShared } from '../../../groups/groups.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { computerScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { contentLine } from '../../activation/planned-content.ts'
import { packageNotApplicable, packageNotAssignedToComputer, reinstallAlreadyPending } from '../../problems.ts'
import { findNearestPackage, requestReinstall } from '../../request-reinstall.ts'
import { ReinstallRequest, ReinstallTriggered } from './schemas.ts'

export const requestSoftwareReinstall = operation({
  id: 'requestSoftwareReinstall',
  route: 'POST /api/computer/:id/software-reinstall',
  summary: 'Request the reinstall of a package on a computer',
  description:
    'Creates a reinstall group below the group with the nearest assignment. The agent reinstalls the package at its next ' +
    'contact, regardless of the distribution options and their schedule, and users cannot postpone it. Other open work ' +
    'with the package on the computer is cancelled. Answers 409 if the package is not assigned, is not ' +
    'for the computer, or its reinstall is pending.',
  role: 'reinstall.execute',
  destructive: true,
  content: ({ body: { packageId } }) => sql<{ line: string }>`
    select ${contentLine(sql`'Reinstall'`, 'p')} as line from packages p where p.id = ${packageId}`,
  params: ComputerPath,
  body: ReinstallRequest,
  returns: ok(ReinstallTriggered),
  problems: [
    computerNotFound,
    packageNotFound,
    packageNotAssignedToComputer,
    packageNotApplicable,
    reinstallAlreadyPending,
  ],
  async handle({ params, body: { packageId }, db, caller }) {
    await lockGroupTreesShared(db)
    await pinScopeGroups(db, computerScope(params.id, true))
    await lockComputer(db, params.id)
    await requirePackage(db, packageId)
    const assigned = await findNearestPackage(db, params.id, sql`packages.id = ${packageId}`)
    if (!assigned) throw packageNotAssignedToComputer({ clientId: params.id, packageId })
    if (!assigned.is_applicable) throw packageNotApplicable({ clientId: params.id, packageId })
    return requestReinstall(db, { kind: 'Reinstall', createdBy: caller.principal }, assigned)
  },
})
