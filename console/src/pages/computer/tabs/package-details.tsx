import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { IconRefresh } from '../../../components/icons.ts'
import { useHasRole } from '../../../shell/session-context.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import { ReinstallPackagePanel } from '../actions/reinstall-package-panel.tsx'
import { RetryPackagePanel } from '../actions/retry-package-panel.tsx'
import { UninstallPackagePanel } from '../actions/uninstall-package-panel.tsx'
import type { ComputerPageData, PackageOfComputer } from '../computer-data.ts'
import { Output } from '../why/output.tsx'
import { Part } from '../why/part.tsx'
import { Why } from '../why/why.tsx'

type PackageDetailsProps = { page: ComputerPageData; software: PackageOfComputer }

/** Why the package is as it is, and what can be done about it. */
export function PackageDetails({ page, software }: PackageDetailsProps) {
  return (
    <Stack gap="md">
      <Why
        id={page.computer.id}
        subject={{ packageId: software.softwareId }}
        output={<FailureOutput page={page} software={software} />}
      />
      <PackageActions page={page} software={software} />
    </Stack>
  )
}

/** What the command wrote when it failed last. */
function FailureOutput({ page, software }: PackageDetailsProps) {
  const why = useWhyTexts()
  const format = useFormat()
  const failed = page.latestErrors.find(({ softwareId }) => softwareId === software.softwareId)
  if (!failed) return null
  const { commandLine, exitCode, loggedAtUtc, output } = failed
  const label = why.outputOf(commandLine ?? '', exitCode, format.dateTime(loggedAtUtc))
  return (
    <Part title={label}>
      <Output label={label} text={output || why.noOutput} />
    </Part>
  )
}

function PackageActions({ page, software }: PackageDetailsProps) {
  const { actions, software: texts } = useTexts().computer
  const [opened, setOpened] = useState<'retry' | 'reinstall' | 'uninstall'>()
  const mayDeploy = useHasRole('activation.execute')
  const mayReinstall = useHasRole('reinstall.execute')
  const isAssigned = software.assignedGroupId !== null
  const isInstalled = software.installationState === 'Installed'
  const hasFailed = software.status === 'Failed'
  const panel = { id: page.computer.id, software, onClose: () => setOpened(undefined) }
  return (
    <Group gap="sm">
      {mayDeploy && isAssigned && hasFailed && (
        <Button size="xs" leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => setOpened('retry')}>
          {actions.retryPackage.label}
        </Button>
      )}
      {mayReinstall && isAssigned && (isInstalled || !hasFailed) && (
        <Button size="xs" variant="default" onClick={() => setOpened('reinstall')}>
          {isInstalled ? actions.reinstallPackage.label : actions.reinstallPackage.installNow}
        </Button>
      )}
      {mayDeploy && isAssigned && isInstalled && (
        <Button size="xs" variant="default" onClick={() => setOpened('uninstall')}>
          {actions.uninstallPackage.label}
        </Button>
      )}
      {useHasRole('package.read') && (
        <Anchor component={Link} to={`/packages/${software.softwareId}`} size="sm">
          {texts.toPackage}
        </Anchor>
      )}
      <RetryPackagePanel {...panel} isOpen={opened === 'retry'} />
      <ReinstallPackagePanel {...panel} isOpen={opened === 'reinstall'} />
      <UninstallPackagePanel {...panel} isOpen={opened === 'uninstall'} />
    </Group>
  )
}
