import { ok, operation } from '../../../platform/operation.ts'
import { packageTrialNotFound } from '../problems.ts'
import { getTrial } from '../read-trial.ts'
import { PackageTrial, PackageTrialPath } from './schemas.ts'

export const getPackageTrial = operation({
  id: 'getPackageTrial',
  route: 'GET /api/package-trials/:id',
  summary: 'Get the trial of a package, with its log, detections and leftovers',
  role: 'package.read',
  params: PackageTrialPath,
  returns: ok(PackageTrial),
  problems: [packageTrialNotFound],
  extension: true,
  handle: ({ params: { id }, db }) => getTrial(db, id),
})
