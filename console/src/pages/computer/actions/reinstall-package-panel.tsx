import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey, type PackageOfComputer } from '../computer-data.ts'
import { taskPath } from './action-panel.ts'
import { useCancelReinstall } from './use-cancel-reinstall.ts'

export type PackagePanelProps = { id: number; software: PackageOfComputer; isOpen: boolean; onClose: () => void }

/** Installs a package that is assigned to the computer, whether or not it is installed already. */
export function ReinstallPackagePanel({ id, software, isOpen, onClose }: PackagePanelProps) {
  const { reinstallPackage } = useTexts().computer.actions
  const cancel = useCancelReinstall(id)
  const name = software.name ?? software.softwareId
  const path = software.assignedGroupPath ?? ''
  const isInstalled = software.installationState === 'Installed'
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: isInstalled ? reinstallPackage.title(name) : reinstallPackage.installTitle(name),
        label: isInstalled ? reinstallPackage.label : reinstallPackage.installNow,
        isSevere: isInstalled,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer/{id}/software-reinstall', {
            params: { path: { id }, query, header: headers },
            body: { packageId: software.softwareId },
          }),
        describe: () =>
          isInstalled ? reinstallPackage.describe(name, path) : reinstallPackage.describeInstall(name, path),
        done: ({ trackingId, reinstallGroupId }) => ({
          text: isInstalled ? reinstallPackage.done(name) : reinstallPackage.installDone(name),
          ...taskPath(trackingId),
          ...cancel(reinstallGroupId, reinstallPackage),
        }),
        refreshes: [computerKey(id), ['tasks']],
      }}
    />
  )
}
