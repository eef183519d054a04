import { List } from '@mantine/core'
import type { ReviewedAction } from '../../actions/reviewed-action.ts'
import { api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { type Depot, depotName, depotsKey, queuesKey, syncJobsKey } from './depots.ts'

/** Synchronises one depot, or all of them. */
export function useSyncAction(depot: Depot | undefined): ReviewedAction<components['schemas']['SyncJobsTriggered']> {
  const { depots } = useInfrastructureTexts()
  const body = depot ? { depotClientIds: [depot.clientId] } : {}
  return {
    title: depot ? depots.syncTitle(depotName(depot)) : depots.syncAllTitle,
    label: depots.sync,
    requestKey: body,
    send: ({ uncounted: query, headers }) =>
      api.POST('/api/system/sync-jobs', { params: { query, header: headers }, body }),
    describe: ({ answer }) => depots.syncs(answer.jobs.length),
    details: ({ answer }) => (
      <List size="sm">
        {answer.jobs.map((job) => (
          <List.Item key={job.id}>{depotName(job)}</List.Item>
        ))}
      </List>
    ),
    done: ({ jobs }) => ({ text: depots.synced(jobs.length), to: '/infrastructure/jobs' }),
    refreshes: [depotsKey, syncJobsKey, queuesKey],
  }
}
