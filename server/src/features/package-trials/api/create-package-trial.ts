import { sql } from 'kysely'
import { created, operation } from '../../../platform/operation.ts'
import { computerNotFound, lockComputer } from '../../computers/computers.ts'
import { computerScope, pinScopeGroups } from '../../deployments/activation/activation-scope.ts'
import { contentLine } from '../../deployments/activation/planned-content.ts'
import { packageNotApplicable } from '../../deployments/problems.ts'
import { lockGroupTreesShared } from '../../groups/groups.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { noUninstallCommand, packageNotFound, packageNotReleased } from '../../packages/problems.ts'
import {
  computerCannotTry,
  packageAssignedToComputer,
  packageInstalledOnComputer,
  packageNotTriable,
  packageTrialPending,
} from '../problems.ts'
import { getTrial } from '../read-trial.ts'
import { startTrial } from '../start-trial.ts'
import { PackageTrial, PackageTrialRequest } from './schemas.ts'

const defaultExpiryMinutes = 24 * 60

export const createPackageTrial = operation({
  id: 'createPackageTrial',
  route: 'POST /api/packages/:id/trials',
  summary: 'Try a package: install it on one computer, then uninstall it',
  description:
    'The agent installs the package and uninstalls it again, as it does for deployments, and reports for both steps the ' +
    'end of the log, the exit code, the duration, and what the detection finds before and after. It also reports what is left ' +
    'behind. A connected agent begins within seconds, others at their next contact; `blockers` says why a trial waits. Nothing ' +
    'is assigned or deployed by a trial, and a trial is not retried. Answers 409 if the package is assigned to the computer or ' +
    'installed on it, because the trial would remove it. If the agent finds the software itself, the trial fails before it ' +
    'begins. So it does on agents that are too old for trials.',
  role: 'activation.execute',
  massAction: { computers: ({ body }) => sql`select id as computer_id from computers where id = ${body.computerId}` },
  content: ({ params: { id } }) => sql<{ line: string }>`
    select ${contentLine(sql`'Trial'`, 'p')} as line from packages p where p.id = ${id}`,
  params: PackagePath,
  body: PackageTrialRequest,
  returns: created(PackageTrial),
  problems: [
    ...[packageNotFound, packageNotTriable, packageNotReleased, noUninstallCommand, packageNotApplicable],
    ...[computerNotFound, computerCannotTry, packageAssignedToComputer, packageInstalledOnComputer],
    packageTrialPending,
  ],
  extension: true,
  async handle({ params: { id: packageId }, body, db, caller: { principal: createdBy } }) {
    const { computerId, expiresInMinutes = defaultExpiryMinutes } = body
    await lockGroupTreesShared(db)
    await pinScopeGroups(db, computerScope(computerId, true))
    await lockComputer(db, computerId)
    return getTrial(db, await startTrial(db, { packageId, computerId, expiresInMinutes, createdBy }))
  },
})
