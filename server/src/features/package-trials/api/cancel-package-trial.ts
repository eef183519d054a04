import { ok, operation } from '../../../platform/operation.ts'
import { cancelTrial } from '../cancel-trial.ts'
import { packageTrialEnded, packageTrialNotFound } from '../problems.ts'
import { getTrial } from '../read-trial.ts'
import { getPackageTrial } from './get-package-trial.ts'
import { PackageTrial, PackageTrialPath } from './schemas.ts'

export const cancelPackageTrial = operation({
  id: 'cancelPackageTrial',
  route: 'POST /api/package-trials/:id/cancel',
  summary: 'Cancel the trial of a package',
  description:
    'A computer that has not begun does nothing. One that has begun installing uninstalls the software again, and the trial ' +
    'shows what it reports about that.',
  role: 'activation.execute',
  params: PackageTrialPath,
  returns: ok(PackageTrial),
  problems: [packageTrialNotFound, packageTrialEnded],
  changes: getPackageTrial,
  extension: true,
  async handle({ params: { id }, db }) {
    await cancelTrial(db, id)
    return getTrial(db, id)
  },
})
