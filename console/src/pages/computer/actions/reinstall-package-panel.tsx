import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey, type PackageOfComputer } from '../computer-data.ts'
import { dryRunOnly, taskPath } from './action-panel.ts'
import { useCancelReinstall } from './use-cancel-reinstall.ts'

export type PackagePanelProps = { id: number; software: PackageOfComputer; isOpen: boolean; onClose: () => void }

/** Installs a package again that is assigned to the computer. */
export function ReinstallPackagePanel({ id, software, isOpen, onClose }: PackagePanelProps) {
  const { reinstallPackage } = useTexts().computer.actions
  const cancel = useCancelReinstall(id)
  const name = software.name ?? software.softwareId
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: reinstallPackage.title(name),
        label: reinstallPackage.label,
        isSevere: true,
        send: ({ query: { dryRun }, headers }) =>
          api.POST('/api/computer/{id}/software-reinstall', {
            params: { path: { id }, query: dryRunOnly(dryRun), header: headers },
            body: { packageId: software.softwareId },
          }),
        describe: ({ answer }) => reinstallPackage.describe(name, answer.parentGroupName),
        done: ({ trackingId, reinstallGroupId }) => ({
          text: reinstallPackage.done(name),
          ...taskPath(trackingId),
          ...cancel(reinstallGroupId, reinstallPackage),
        }),
        refreshes: [computerKey(id), ['tasks']],
      }}
    />
  )
}
