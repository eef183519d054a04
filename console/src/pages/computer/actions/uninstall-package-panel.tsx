import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { taskPath } from './action-panel.ts'
import type { PackagePanelProps } from './reinstall-package-panel.tsx'

/** Uninstalls a package. The options of its group change, so this concerns all computers of the group. */
export function UninstallPackagePanel({ id, software, isOpen, onClose }: PackagePanelProps) {
  const { uninstallPackage } = useTexts().computer.actions
  const name = software.name ?? software.softwareId
  const path = { id }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: uninstallPackage.title(name),
        label: uninstallPackage.label,
        send: ({ query, headers }) =>
          api.POST('/api/computer/{id}/software-uninstall', {
            params: { path, query, header: headers },
            body: { packageId: software.softwareId },
          }),
        describe: ({ computers = 1 }) => uninstallPackage.describe(name, software.assignedGroupPath ?? '', computers),
        done: ({ trackingId }) => ({
          text: uninstallPackage.done(name),
          ...taskPath(trackingId),
          undo: {
            label: uninstallPackage.undo,
            done: uninstallPackage.undone,
            run: () =>
              api.DELETE('/api/computer/{id}/activation', {
                params: { path, query: { software: true, uninstall: true } },
              }),
          },
        }),
        refreshes: [computerKey(id), ['tasks'], ['package', software.softwareId]],
      }}
    />
  )
}
