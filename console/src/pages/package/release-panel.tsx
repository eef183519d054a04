import { Text } from '@mantine/core'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { useTexts } from '../../texts/texts.tsx'

type ReleasePanelProps = { isOpen: boolean; onClose: () => void; found: Package; etag: string }

/** Releases the package, or withdraws it. The version makes sure that only content that was seen is released. */
export function ReleasePanel({ isOpen, onClose, found, etag }: ReleasePanelProps) {
  const { actions } = useTexts().packages
  const { id, name, contentHash } = found
  const operational = !found.operational
  const path = { id }
  const send = (body: { operational: boolean }, query = {}, header = {}) =>
    api.PUT('/api/packages/{id}/ready-to-install', { params: { path, query, header }, body })
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: operational ? actions.releaseTitle(name) : actions.withdrawTitle(name),
        label: operational ? actions.release : actions.withdraw,
        requestKey: { id, operational, etag },
        etag,
        send: ({ query, headers }) => send({ operational }, query, headers),
        describe: ({ computers = 0 }) => (operational ? actions.releases(computers) : actions.withdraws(computers)),
        details: () =>
          operational && contentHash ? (
            <Text size="xs" c="dimmed">
              {actions.content(contentHash.slice(0, 16))}
            </Text>
          ) : null,
        done: () => ({
          text: operational ? actions.released : actions.withdrawn,
          undo: {
            label: operational ? actions.undoRelease : actions.undoWithdraw,
            run: () => send({ operational: !operational }),
            done: operational ? actions.withdrawn : actions.released,
          },
        }),
        refreshes: [['package', id], ['packages']],
      }}
    />
  )
}
