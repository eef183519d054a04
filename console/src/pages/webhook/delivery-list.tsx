import { Text } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { type WebhookDelivery, webhooksKey } from '../webhooks/webhooks.ts'

/** The last attempts to deliver events, newest first, with what the receiver answered. */
export function DeliveryList({ id, refetchInterval }: { id: string; refetchInterval: number }) {
  const texts = useWebhookTexts()
  const pages = useListPages({
    queryKey: [...webhooksKey, id, 'deliveries'],
    load: (page) => api.GET('/api/webhooks/{id}/deliveries', { params: { path: { id }, query: { top: 50, ...page } } }),
    refetchInterval,
  })
  return (
    <TitledTable title={texts.deliveries}>
      <DataTable
        caption={texts.deliveries}
        columns={useColumns()}
        rows={pages.rows}
        rowKey={(delivery) => delivery.id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.noDeliveriesTitle, text: texts.noDeliveriesText }}
        footer={<LoadMore query={pages} />}
      />
    </TitledTable>
  )
}

function useColumns(): Column<WebhookDelivery>[] {
  const texts = useWebhookTexts()
  const { deliveryColumns: columns } = texts
  return [
    { id: 'at', title: columns.at, width: 170, cell: ({ attemptedAtUtc }) => <Moment at={attemptedAtUtc} /> },
    { id: 'type', title: columns.type, cell: ({ type }) => type },
    { id: 'position', title: columns.position, width: 110, cell: ({ position }) => position },
    { id: 'attempt', title: columns.attempt, width: 90, cell: ({ attempt }) => attempt },
    { id: 'result', title: columns.result, cell: (delivery) => <Result delivery={delivery} /> },
    { id: 'duration', title: columns.duration, width: 110, cell: ({ durationMs }) => texts.milliseconds(durationMs) },
  ]
}

function Result({ delivery: { status, error } }: { delivery: WebhookDelivery }) {
  const texts = useWebhookTexts()
  if (error === null) return <StatusBadge kind="good">{texts.delivered(status ?? 0)}</StatusBadge>
  return (
    <>
      <StatusBadge kind="bad">{texts.failed}</StatusBadge>
      <Text size="xs" c="dimmed" className="breakable">
        {error}
      </Text>
    </>
  )
}
