import { Anchor, Code } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { stateKinds, type Webhook, webhookState, webhooksKey } from './webhooks.ts'

export function WebhooksPage() {
  const texts = useWebhookTexts()
  const { shell } = useTexts()
  const pages = useListPages({
    queryKey: [...webhooksKey, 'list'],
    load: (page) => api.GET('/api/webhooks', { params: { query: { top: 50, ...page } } }),
  })
  return (
    <Page title={shell.webhooks} intro={texts.intro} actions={<CreateWebhook />}>
      <DataTable
        caption={shell.webhooks}
        columns={useColumns()}
        rows={pages.rows}
        rowKey={({ id }) => id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </Page>
  )
}

function useColumns(): Column<Webhook>[] {
  const { columns, states, allTypes } = useWebhookTexts()
  return [
    {
      id: 'name',
      title: columns.name,
      cell: ({ id, name }) => (
        <Anchor component={Link} to={`/admin/webhooks/${id}`} size="sm" fw={600}>
          {name}
        </Anchor>
      ),
    },
    { id: 'url', title: columns.url, cell: ({ url }) => <Code className="breakable">{url}</Code> },
    { id: 'types', title: columns.types, cell: ({ types }) => types.join(', ') || allTypes },
    {
      id: 'state',
      title: columns.state,
      width: 130,
      cell: (webhook) => (
        <StatusBadge kind={stateKinds[webhookState(webhook)]}>{states[webhookState(webhook)]}</StatusBadge>
      ),
    },
    { id: 'created', title: columns.created, width: 160, cell: ({ createdAtUtc }) => <Moment at={createdAtUtc} /> },
  ]
}
