import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { taskPath } from './action-panel.ts'
import type { PackagePanelProps } from './reinstall-package-panel.tsx'

/** Tries a package again that has failed on the computer, as it is assigned. */
export function RetryPackagePanel({ id, software, isOpen, onClose }: PackagePanelProps) {
  const { retryPackage } = useTexts().computer.actions
  const name = software.name ?? software.softwareId
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: retryPackage.title(name),
        label: retryPackage.label,
        send: ({ query, headers }) =>
          api.POST('/api/packages/{id}/retry', {
            params: { path: { id: software.softwareId }, query, header: headers },
            body: { computerIds: [id] },
          }),
        describe: ({ answer }) => (answer.trackingId ? retryPackage.describe(name) : retryPackage.nothingDue),
        done: ({ trackingId }) => ({
          text: trackingId ? retryPackage.done(name) : retryPackage.nothingDue,
          ...taskPath(trackingId),
        }),
        refreshes: [computerKey(id), ['tasks'], ['package', software.softwareId]],
      }}
    />
  )
}
