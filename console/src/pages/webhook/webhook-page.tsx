import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Facts } from '../../components/facts.tsx'
import { Loading } from '../../components/loading.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { PrincipalName } from '../../components/principal-name.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { stateKinds, type Webhook, webhookQuery, webhookState } from '../webhooks/webhooks.ts'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookActions } from './webhook-actions.tsx'

/** While the page is open, it follows the deliveries: they leave no event. */
const refreshMilliseconds = 15_000

export function WebhookPage() {
  const { id = '' } = useParams()
  const { shell } = useTexts()
  const { data, error, refetch } = useQuery({ ...webhookQuery(id), refetchInterval: refreshMilliseconds })
  if (!data)
    return (
      <Page title={shell.webhooks}>
        {error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={200} />}
      </Page>
    )
  return (
    <Page title={data.value.name} actions={<WebhookActions version={data} />}>
      <Settings webhook={data.value} />
      <DeliveryList id={id} refetchInterval={refreshMilliseconds} />
    </Page>
  )
}

function Settings({ webhook }: { webhook: Webhook }) {
  const texts = useWebhookTexts()
  const state = webhookState(webhook)
  const { url, types, computerId, principalId, position, failures, failingSinceUtc, nextAttemptAtUtc } = webhook
  return (
    <Section title={texts.settings}>
      <Stack gap="sm" align="flex-start">
        <StatusBadge kind={stateKinds[state]}>{texts.states[state]}</StatusBadge>
        <Facts
          rows={[
            [texts.pauseReason, webhook.pauseReason],
            [texts.columns.url, url],
            [texts.columns.types, types.join(', ') || texts.allTypes],
            [texts.fields.computerId, computerId],
            [texts.principal, <PrincipalName key="principal" id={principalId} />],
            [texts.position, position],
            [texts.failures, failures > 0 && failures],
            [texts.failingSince, failingSinceUtc && <Moment key="since" at={failingSinceUtc} />],
            [texts.nextAttempt, nextAttemptAtUtc && <Moment key="next" at={nextAttemptAtUtc} />],
            [texts.columns.created, <Moment key="created" at={webhook.createdAtUtc} />],
          ]}
        />
      </Stack>
    </Section>
  )
}
