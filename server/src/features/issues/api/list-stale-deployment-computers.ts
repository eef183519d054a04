import { issueSweep } from '../issue-sweep.ts'
import { staleDeployment } from '../stale-deployment.ts'

export const listStaleDeploymentComputers = issueSweep(staleDeployment, {
  id: 'listStaleDeploymentComputers',
  route: 'GET /api/computer/issues/stale-deployment',
  item: 'StaleDeploymentComputer',
  summary: 'List online computers that have not started their pending work',
  description:
    'Reports packages that have been pending for 24 hours to 30 days (`minHoursPending`, `maxDaysPending`) on computers ' +
    'whose agents contacted the server within the last 24 hours. Work that an agent has started and work that waits for ' +
    'its start time or window is not reported.',
})
