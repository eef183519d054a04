import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import type { StatusKind } from '../../components/status-kinds.ts'

type Schemas = components['schemas']
export type Depot = Schemas['Depot']
export type SyncJob = Schemas['SyncJob']
export type QueueEntry = Schemas['QueueEntry']

export const depotsKey = ['depots']
export const syncJobsKey = ['sync-jobs']
export const queuesKey = ['queues']

export const depotName = ({ hostname, domain }: { hostname: string; domain: string | null }) =>
  domain ? `${hostname}.${domain}` : hostname

export const heartbeatKinds: Record<Depot['heartbeat'], StatusKind> = {
  online: 'good',
  offline: 'bad',
  pending: 'warning',
  unknown: 'neutral',
}

export const syncKinds: Record<SyncJob['status'], StatusKind> = {
  Pending: 'neutral',
  Running: 'running',
  Success: 'good',
  Failed: 'bad',
}

/** There are few depots: one page shows all of them. */
export const depotsQuery = {
  queryKey: depotsKey,
  queryFn: () => answerOf(api.GET('/api/depots', { params: { query: { top: 1000 } } })),
}
