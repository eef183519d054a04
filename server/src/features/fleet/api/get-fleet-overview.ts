import { installationCommands } from '../../../installation/commands.ts'
import { thisInstallation } from '../../../installation/files.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { getLatestStatistics } from '../../issues/latest-statistics.ts'
import { countRunningSingles, findFirstSteps, listRunningRollouts, listRunningTasks } from '../pages/overview.ts'
import { FleetOverview } from './page-schemas.ts'

export const getFleetOverview = operation({
  id: 'getFleetOverview',
  route: 'GET /api/fleet/overview',
  summary: 'Get everything that the first page shows: counts of the fleet, running rollouts and tasks',
  description:
    'The counts are those of getFleetStatistics, with their age. Rollouts, tasks, waiting agents and first steps are current.',
  role: 'computer.read',
  extension: true,
  returns: ok(FleetOverview),
  async handle({ db, caller, services }) {
    const { waitingAgents, ...steps } = await findFirstSteps(db)
    const isAdministrator = caller.principal.roles.has('admin.manage')
    const { useProviders = null, ...commands } = installationCommands(thisInstallation, services.configuration)
    return {
      statistics: await getLatestStatistics(db),
      runningRollouts: await listRunningRollouts(db),
      runningTasks: await listRunningTasks(db),
      runningSingles: await countRunningSingles(db),
      waitingAgents: isAdministrator ? waitingAgents : null,
      steps: {
        ...steps,
        lastBackupUtc: isAdministrator ? steps.lastBackupUtc : null,
        hasPackage: caller.principal.roles.has('package.read') ? steps.hasPackage : null,
        hasIdentityProvider: services.configuration.identityProviders.length > 0,
        commands: isAdministrator ? { isClone: thisInstallation.kind === 'Clone', useProviders, ...commands } : null,
      },
    }
  },
})
