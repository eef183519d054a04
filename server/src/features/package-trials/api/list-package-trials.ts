import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { PackagePath } from '../../packages/api/schemas.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { trialRows } from '../trial-rows.ts'
import { PackageTrialSummary } from './schemas.ts'

export const listPackageTrials = operation({
  id: 'listPackageTrials',
  route: 'GET /api/packages/:id/trials',
  summary: 'List the trials of a package, newest first',
  description: 'The last trial stays as long as its package; earlier ones stay as long as tasks.',
  role: 'package.read',
  params: PackagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(PackageTrialSummary)),
  problems: [packageNotFound],
  extension: true,
  async handle(call) {
    const { db, params } = call
    await requirePackage(db, params.id)
    const rows = trialRows(db).where('trial.package_id', '=', params.id)
    const matching = db.selectFrom(rows.as('trial')).selectAll()
    return pageOf(call, matching, { columns: ['startedAtUtc', 'trialId'], descending: true })
  },
})
