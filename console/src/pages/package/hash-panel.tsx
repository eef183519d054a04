import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { useTexts } from '../../texts/texts.tsx'

type HashPanelProps = { isOpen: boolean; onClose: () => void; found: Package }

export function HashPanel({ isOpen, onClose, found: { id, name } }: HashPanelProps) {
  const { actions } = useTexts().packages
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: actions.hashTitle(name),
        label: actions.hash,
        requestKey: id,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/packages/{id}/hash', {
            params: { path: { id }, query, header: headers },
          }),
        describe: () => actions.hashes,
        done: ({ trackingId }) => ({ text: actions.hashStarted, to: `/packages/${id}?job=${trackingId}` }),
        refreshes: [['package', id]],
      }}
    />
  )
}
