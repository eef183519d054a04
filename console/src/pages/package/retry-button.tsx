import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import type { FailureCause } from '../../api/packages.ts'
import { IconRefresh } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Creates the failed work of all computers of a cause again, with one request. */
export function RetryButton({ cause: { packageId, causeId, packageName, count } }: { cause: FailureCause }) {
  const { causes, actions } = useTexts().packages
  const [isOpen, panel] = useDisclosure()
  const mayRetry = useHasRole('activation.execute')
  if (!mayRetry) return null
  return (
    <>
      <Button size="compact-sm" onClick={panel.open} leftSection={<IconRefresh size={14} aria-hidden />}>
        {causes.retry(count)}
      </Button>
      <ReviewPanel
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: actions.retryTitle(packageName),
          label: actions.retry,
          requestKey: causeId,
          send: ({ query, headers }) =>
            api.POST('/api/packages/{id}/retry', {
              params: { path: { id: packageId }, query, header: headers },
              body: { causeId },
            }),
          describe: ({ answer, computers }) =>
            answer.trackingId ? actions.retries(computers ?? answer.computerCount) : actions.nothingDue,
          done: ({ trackingId }) =>
            trackingId ? { text: actions.retried, to: `/tasks/${trackingId}` } : { text: actions.nothingDue },
          refreshes: [['package', packageId], ['packages'], ['issue']],
        }}
      />
    </>
  )
}
