import { ok, operation } from '../../../platform/operation.ts'
import { countIssueCauses, listDeploymentFailureCauses, requireIssue } from '../../issues/issue-causes.ts'
import { IssuePage, IssuePath } from './issue-schemas.ts'

export const getIssuePage = operation({
  id: 'getIssuePage',
  route: 'GET /api/fleet/issues/:issue',
  summary: 'Count the computers with an issue by what they have in common',
  description:
    'The volume, model, package, patch, configuration group or other cause that several computers share. A computer with ' +
    'several occurrences counts for each cause. `listIssueComputers` lists the computers of a cause.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  params: IssuePath,
  returns: ok(IssuePage),
  async handle({ params: { issue: name }, db }) {
    const issue = requireIssue(name)
    return {
      issue: name,
      causeKind: issue.cause.kind,
      ...(await countIssueCauses(db, issue)),
      failures: name === 'failed-deployment' ? await listDeploymentFailureCauses(db) : [],
    }
  },
})
